/* The player: it opens a deal, steps through it, shows it from a seat, and explains each step next to the table. */
const GO = {
  first: ['first step', 'M3 3h2.500v12H3zM15 3v12l-8-6z'], back: ['step back', 'M13 3v12l-9-6z'], play: ['play', 'M4 2l11 7-11 7z'],
  next: ['next step', 'M5 3v12l9-6z'], last: ['last step', 'M3 3v12l8-6zM12.500 3H15v12h-2.500z'],
};
const PAUSE = 'M4 3h4v12H4zM10 3h4v12h-4z';
const root = $('#view'), parts = {};

function answers(step, chosen) {
  const listed = step.l || [step.a], beyond = chosen && !listed.includes(step.a) ? [step.a] : [];
  const more = step.n - listed.length - beyond.length;
  return h('ul', null, [...listed, ...beyond].map(text => h(chosen && text === step.a ? 'li.ch' : 'li', {'aria-current': chosen && text === step.a ? 'true' : null}, action(text))),
    more > 0 && h('li.more', null, `and ${more} more`));
}

/* The possible answers in the last step, and in the next one. */
function legal(deal, at) {
  const part = (step, chosen) => [h('h4', null, chosen ? 'Was legal for ' : 'Asked next: ', who(step.s), h('span.ph', null, ` · ${step.p}`)),
    !sees(step.s) ? h('div.note', null, 'Not to be seen from this seat.') : step.n === 1 ? h('div.note', null, chosen ? 'One answer only: nobody was asked.' : 'One answer only: nobody will be asked.') : answers(step, chosen)];
  return [at > 0 && h('div', null, part(deal.steps[at - 1], true)), at < deal.steps.length && h('div', null, part(deal.steps[at], false))];
}

/* The value of a name, formatted by its kind: "seat", ["each", "number"]; without one as it looks. */
function value(deal, thing, kind) {
  if (thing == null || thing === '') return h('span.nil', null, thing === '' ? 'empty' : 'none');
  if (thing === true || thing === false) return thing ? 'yes' : 'no';
  if (isCard(thing)) return word(thing);
  if (typeof thing === 'string') return isSuit(thing) ? suit(thing) : action(thing);
  if (typeof thing === 'number') return kind === 'seat' && deal.seats[thing] != null ? who(thing) : figure(thing);
  const [what, ...of] = Array.isArray(kind) ? kind : [];
  if (!Array.isArray(thing)) {
    const key = each => isCard(each) ? word(each) : what === 'map' && of[0] === 'seat' ? who(each) : h('i', null, each);
    return some(Object.entries(thing).map(([each, held]) => h('span.kv', null, key(each), ' ', value(deal, held, of[1]))));
  }
  if (what === 'each' && thing.length === deal.seats.length) return bySeat(deal, thing, of[0], 'none');
  const inner = thing.map((each, k) => h('span', null, value(deal, each, what === 'tuple' ? of[k] : of[0])));
  return some(inner, thing.every(isCard) ? 'span.vals.tight' : 'span.vals');
}
const isSuit = thing => thing.length === 1 && 'shdc'.includes(thing);
const some = (shown, box = 'span.vals') => shown.length ? h(box, null, shown) : h('span.nil', null, 'none');
const bySeat = (deal, thing, kind, nothing) => some(thing.map((each, k) => h('span.kv', null, who(k), ' ', each == null ? h('span.nil', null, nothing) : value(deal, each, kind))));

/* All public values by name, and what only each seat knows; with the docstring of each. */
function liesOpen(deal, state) {
  const names = Object.entries(deal.help).filter(([name]) => name in state || name === 'dealer');
  const line = (name, help, shown) => h('div.name', null, h('dt', null, h('code', null, name), deal.own.includes(name) && h('span.tag', null, 'own')), h('dd', null, h('div', null, shown), help && h('div.help', null, help)));
  return h('dl', null, [...names].filter(([name]) => name !== 'hands').map(([name, help]) => line(name, help, deal.own.includes(name) ? bySeat(deal, state[name], deal.kinds[name], 'not to be seen') : value(deal, state[name], deal.kinds[name]))),
    Object.keys(state.pools).length ? line('pools', 'the counters in each pool', value(deal, state.pools)) : null,
    line('net', 'counters won or lost in this deal so far, by seat', bySeat(deal, state.net, 'number', 'none')),
    state.stacks && line('stacks', 'counters before each seat', bySeat(deal, state.stacks, 'number', 'none')),
    line('hand', 'the cards of each seat, as dealt', h('span.vals', null, state.hands.map((hand, k) => h('span.kv', null, who(k), ' ', hand.includes(null) ? h('span.nil', null, many(hand.length, 'card'), ' face down') : hand.length ? h('span.vals.tight', null, hand.map(c => h('span', null, word(c)))) : h('span.nil', null, 'none'))))));
}

/* The net of each seat through the deal, above the slider and as wide as its way. */
function flow(deal, at, marked) {
  const W = 300, H = 60, n = Math.max(1, deal.steps.length), all = deal.states.flatMap(state => state.net);
  const low = Math.min(0, ...all), high = Math.max(0, ...all) || 1, X = k => (W * k / n).toFixed(1), Y = v => (5 + (H - 10) * (high - v) / (high - low || 1)).toFixed(1);
  const way = k => 'M' + deal.states.map((state, j) => (j ? `H${X(j)}V` : '0 ') + Y(state.net[k])).join('');
  const faults = deal.steps.flatMap((step, j) => isFault(step) ? [j + 1] : []);
  return h('svg.flow', {viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'net of each seat through the deal; at the end ' + deal.net.map((v, k) => `${nameOf(k)} ${figure(v)}`).join(', ')},
    h('line', {x1: 0, x2: W, y1: Y(0), y2: Y(0), 'vector-effect': 'non-scaling-stroke'}),
    faults.map(j => h('line.flt', {x1: X(j), x2: X(j), y1: H - 8, y2: H, 'vector-effect': 'non-scaling-stroke'})),
    h('line.cur', {x1: X(at), x2: X(at), y1: 0, y2: H, 'vector-effect': 'non-scaling-stroke'}),
    deal.seats.map((_, k) => k).sort((a, b) => (a === marked) - (b === marked)).map(k => h(k === marked ? 'path.me' : 'path', {'vector-effect': 'non-scaling-stroke', d: way(k)})));
}

/* A part of the view that is filled at each step. */
const part = (name, tag, props, ...kids) => (parts[name] = h(tag, props, ...kids));

/* The deal that this one plays again: a link to the same step of it, and its nets next to those here. */
function replayOf({before, net}) {
  if (!before) return null;
  const hash = fragment(before.addr) + (before.step == null ? '' : `&step=${before.step + 1}`);
  const link = DEALS.of.has(before.addr) ? h('a', {href: hash, 'data-deal': before.addr}, before.addr) : h('code', null, replay(before.addr));
  const alike = before.net.every((counters, k) => counters === net[k]);
  return [h('span', null, 'replay of ', link), alike ? h('span', null, 'the same nets as before')
    : h('span', null, 'net (before): ', net.map((counters, k) => h('span.kv', null, who(k), ' ', h('b', null, signed(counters)), ` (${signed(before.net[k])})`, k + 1 < net.length ? ', ' : '')))];
}

/* The earlier answer at the first step that differs, for a viewer who sees the cards of that seat. */
const earlier = (deal, j) => sees(deal.steps[j].s) ? [': before it was ', action(deal.before.a)] : '';

function build() {
  const button = key => part(key, 'button', {type: 'button', 'aria-label': GO[key][0], title: GO[key][0], on: {click: () => does[key]()}}, icon(GO[key][1]));
  const toggle = (name, text, title) => part(name, 'button.tg', {type: 'button', title, on: {click: () => does[name]()}}, text);
  fill(root,
    h('div.vhead', null, part('title', 'h3', {tabindex: -1}), part('addr', 'span.addr'), part('options', 'span.note'), part('before', 'p.before'),
      h('div.seatpick', null, h('label', null, 'from ', part('seat', 'select', {on: {change: e => look(+e.target.value)}})), toggle('open', 'all open', 'all cards open (o)'))),
    h('div.vgrid', null,
      h('div.side', null,
        h('div.ctlbox', null,
          h('div.ctl', null, Object.keys(GO).map(button), toggle('legal', 'legal', 'what was legal (l)')),
          h('div.track', null, h('div.note.wide-only', null, 'net of each seat through the deal', part('marked', 'span')), part('flow', 'div', {class: 'flowbox'}), h('label', null, sr('step'), part('slide', 'input', {type: 'range', min: 0, on: {input: e => { stop(); go(+e.target.value); }}}))),
          part('now', 'p.now', {'aria-live': 'polite', 'aria-atomic': 'true'})),
        part('log', 'div.log', null, h('h4', null, 'The deal in words'), part('list', 'ol')),
        h('div.cmd', null, part('command', 'span'), copier(() => parts.command.textContent, 'copy')),
        h('div.cmd', null, h('span.said', null, 'a link to this step'), copier(() => location.href, 'copy link')),
        h('p.note.wide-only.keys', null, [['←', '→'], ' step · ', ['Home', 'End'], ' · ', ['p'], ' play · ', ['0', '9'], ' from a seat · ', ['o'], ' all open · ', ['l'], ' legal · ', ['b', 'n'], ' deal'].map(x => Array.isArray(x) ? x.map((key, j) => [j ? ' ' : '', h('kbd', null, key)]) : x))),
      h('div.vleft', null, part('board', 'div.boardbox'),
        h('div.under', null, part('under', 'div.record'), h('div.pair', null, part('why', 'div.why'), part('answers', 'div.legal'))),
        h('details.lies', {on: {toggle: () => draw()}}, h('summary', null, 'What lies open, by its public names'), part('lies', 'div.names')))));
}

function copier(text, label) {
  const button = h('button.copy', {type: 'button', on: {click: async () => {
    try { await navigator.clipboard.writeText(text()); button.textContent = 'copied'; } catch { select(button.previousElementSibling); button.textContent = 'selected'; }
    setTimeout(() => { button.textContent = label; }, 1500);
  }}}, label);
  return button;
}
function select(el) {
  const range = document.createRange();
  range.selectNodeContents(el);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

/* Only a viewer who sees the cards can know that there was only one answer. */
const isForced = step => step.n === 1 && sees(step.s);
/* The fragment that opens a deal. */
const fragment = addr => `#deal=${encodeURIComponent(addr).replaceAll('%2F', '/')}`;
const shellword = text => /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
/* On a page about several runs, addresses begin with theirs. */
const replay = (addr, seat = '') => `roundsim replay ${shellword([root.dataset.run, addr].filter(Boolean).join(':'))}${seat}`;

function sentence(deal, at) {
  const n = deal.steps.length, step = at ? deal.steps[at - 1] : null, events = eventsAt(deal, at).map(text => h('span.ev', null, prose(text[0].toUpperCase() + text.slice(1)), '. '));
  if (!step) return [h('span.st', null, n ? `before the first of ${many(n, 'step')}` : 'nobody was asked in this deal'), h('b', null, nameOf(deal.dealer)), ' has dealt. ', events, n ? h('span.nx', null, h('b', null, nameOf(deal.steps[0].s)), ' is asked first.') : ''];
  return [h('span.st', null, `step ${at} of ${n} · seat ${step.s}`, isForced(step) ? ' · forced' : ''), h('b', null, nameOf(step.s)), ' ', prose(said(step, looker(), at)), '. ',
    differsAt(deal, at - 1) && h('span.other', null, 'Here ', h('b', null, nameOf(step.s)), ' answers differently', earlier(deal, at - 1), '. '),
    isFault(step) && h('span.flt', null, 'Forfeited', step.f ? `: ${step.f}` : ', as before', '. '), events];
}

/* The earlier action at this step, from the first different answer on, if that deal is in the file. */
function earlierStep(deal, j) {
  const step = deal.before?.step <= j && deal.earlier?.steps[j];
  return step ? h('span.was', null, 'before: ', h('span.sn', null, deal.earlier.seats[step.s]), ' ', prose(said(step, looker(), ui.at))) : '';
}

/* One line of the deal in words. */
function line(deal, j) {
  const step = deal.steps[j], text = said(step, looker(), ui.at);
  return h('li', null, h(isForced(step) ? 'button.fc' : 'button', {type: 'button', tabindex: -1, on: {click: () => { stop(); go(j + 1); }}}, h('i', null, j + 1),
    h('span', null, h('span.sn', null, nameOf(step.s)), ' ', prose(text), isFault(step) && h('span.flt', null, ' (forfeited)'), differsAt(deal, j) && h('span.other', null, ' (differently', deal.earlier ? '' : earlier(deal, j), ')'), (step.e || []).map(event => ['; ', prose(event)])), earlierStep(deal, j)));
}

function draw() {
  const {deal, at} = ui, n = deal.steps.length, step = at ? deal.steps[at - 1] : null, state = asSeen(deal, deal.states[at], looker());
  const marked = ui.seat ?? (step ? step.s : -1);
  fill(parts.board, boardOf(deal, state, step));
  fill(parts.under, deal.table.under(deal, state, deal.memos[at], step));
  fill(parts.now, sentence(deal, at));
  fill(parts.flow, flow(deal, at, marked));
  fill(parts.marked, marked >= 0 ? ['; in colour ', h('b', null, nameOf(marked))] : '');
  fill(parts.why, whyMoved(deal, at));
  parts.answers.hidden = !ui.legal;
  fill(parts.answers, ui.legal && legal(deal, at));
  if (parts.lies.parentNode.open) fill(parts.lies, liesOpen(deal, state));
  controls(n);
  words(deal, at);
  parts.command.textContent = replay(deal.addr, looker() == null ? '' : ` --seat ${ui.seat}`);
  address();
}

function controls(n) {
  const {slide, play} = parts;
  slide.max = n; slide.value = ui.at;
  slide.setAttribute('aria-valuetext', ui.at ? `step ${ui.at} of ${n}` : 'before the first step');
  const idle = {first: !ui.at, back: !ui.at, next: ui.at === n, last: ui.at === n, play: !n};
  for (const key in idle) parts[key].setAttribute('aria-disabled', idle[key]);  // one that was disabled would lose the keys
  fill(play, icon(ui.timer ? PAUSE : GO.play[1]));
  play.setAttribute('aria-label', ui.timer ? 'pause' : 'play');
  parts.seat.value = below();
  parts.open.setAttribute('aria-pressed', ui.open);
  parts.legal.setAttribute('aria-pressed', ui.legal);
}

/* All steps in words; written again only if another deal or seat changes the words. */
function words(deal, at) {
  const {list} = parts, of = `${deal.addr} ${looker()} ${deal.sealed && looker() != null ? at : ''}`;
  if (list.dataset.of !== of) { list.dataset.of = of; fill(list, [...deal.steps.map((_, j) => line(deal, j)), ...(deal.earlier?.steps || []).slice(deal.steps.length).map((_, j) => h('li', null, h('span.past', null, h('i', null, deal.steps.length + j + 1), earlierStep(deal, deal.steps.length + j))))]); }
  const old = $('[aria-current]', list), now = at ? list.children[at - 1].firstChild : null;
  if (old && old !== now) { old.removeAttribute('aria-current'); old.tabIndex = -1; }
  if (now) { now.setAttribute('aria-current', 'step'); now.tabIndex = 0; list.scrollTop = now.parentNode.offsetTop - list.clientHeight / 2 + 12; }
  else { list.scrollTop = 0; if (list.firstChild) list.firstChild.firstChild.tabIndex = 0; }
}

/* Put the view into the page's address: a link to this step. */
function address() {
  if (!ui.linked) return;
  const seat = ui.seat == null ? '' : `&seat=${ui.seat}${ui.open ? '&open=1' : ''}`;
  try { history.replaceState(null, '', `${fragment(ui.deal.addr)}&step=${ui.at}${seat}`); } catch { /* a page without an address of its own */ }
}

function go(at) {
  ui.at = Math.max(0, Math.min(ui.deal.steps.length, at));
  ui.linked = true;
  draw();
}
function look(seat, open = ui.seat == null ? false : ui.open) {
  ui.seat = seat;
  ui.open = open;
  ui.linked = true;
  draw();
}
function stop() {
  clearTimeout(ui.timer);
  ui.timer = 0;
}
/* A step at a time, longer where there is more to read. */
function playing() {
  const step = ui.deal.steps[ui.at];
  if (!step) { stop(); draw(); return; }
  const letters = step.t.length + sum((step.e || []).map(text => text.length));
  ui.timer = setTimeout(() => { go(ui.at + 1); playing(); }, Math.min(2600, 700 + 12 * letters));
  controls(ui.deal.steps.length);
}

/* A deal that nobody has started moves for eyes only, and not for those who want nothing to move. */
function playUnasked() {
  if (!ui.deal || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  parts.now.setAttribute('aria-live', 'off');
  does.play();
}

const does = {
  first: () => { stop(); go(0); }, back: () => { stop(); go(ui.at - 1); }, next: () => { stop(); go(ui.at + 1); }, last: () => { stop(); go(Infinity); },
  play() { if (ui.timer) { stop(); draw(); } else { if (ui.at === ui.deal.steps.length) go(0); playing(); } },
  open: () => look(below(), !ui.open),
  legal() { ui.legal = !ui.legal; draw(); },
  dealBefore: () => turnTo(-1), dealAfter: () => turnTo(1),
};
const KEYS = {ArrowRight: 'next', ArrowLeft: 'back', Home: 'first', End: 'last', p: 'play', o: 'open', l: 'legal', b: 'dealBefore', n: 'dealAfter'};

/* Open the deal so many places further on in the file. */
function turnTo(by) {
  const addrs = [...DEALS.of.keys()], addr = addrs[addrs.indexOf(ui.deal.addr) + by];
  if (!addr) return;
  const hash = fragment(addr);
  try { history.pushState(null, '', hash); } catch { /* a page without an address of its own */ }
  follows(hash);
}

/* Open a deal of the file; say so if that is impossible. */
async function open(addr, {at = 0, seat = null, all = true, show = true, linked = true} = {}) {
  stop();
  const turn = (ui.turn = (ui.turn || 0) + 1);
  let deal;
  try {
    deal = await DEALS.get(addr);
    if (deal?.before) deal.earlier = await DEALS.get(deal.before.addr);
  } catch (fault) { apology(`The deal ${addr} cannot be shown: ${fault.message}.`, addr); return; }
  if (turn !== ui.turn) return;
  if (!deal) { apology(`The deal ${addr} is not in this file.`, addr); return; }
  if (!root.contains(parts.title)) build();
  const seated = Number.isInteger(seat) && seat >= 0 && seat < deal.seats.length ? seat : null;
  Object.assign(ui, {deal, at: Math.max(0, Math.min(deal.steps.length, at || 0)), seat: seated, open: seated == null || all, linked});
  parts.title.textContent = deal.title;
  parts.addr.textContent = deal.addr;
  parts.options.textContent = Object.entries(deal.options).map(([key, value]) => `${key} ${value}`).join(', ');
  fill(parts.before, replayOf(deal));
  parts.before.hidden = !deal.before;
  fill(parts.seat, deal.seats.map((name, k) => h('option', {value: k}, `seat ${k}, ${name}`)));
  for (const link of $$('[data-deal]')) link.dataset.deal === addr ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current');
  draw();
  if (show) { root.scrollIntoView({block: 'start'}); parts.title.focus({preventScroll: true}); }
}

function apology(text, addr) {
  stop();
  fill(root, h('p.note', {role: 'status'}, text, ' ', h('code', null, replay(addr)), ' tells it.'));
}

/* Open what an address names: "#deal=nap/44/3/4&step=15&seat=2". */
function follows(hash, show = true) {
  const asked = new URLSearchParams(hash.replace(/^#/, '')), whole = name => asked.has(name) ? parseInt(asked.get(name), 10) : null;
  if (!asked.has('deal')) return false;
  open(asked.get('deal'), {at: whole('step') || 0, seat: whole('seat'), all: asked.has('open'), show});
  return true;
}

if (root) {
  DEALS.read($('#deals-data'));
  document.addEventListener('click', event => {
    const link = event.target.closest?.('a[data-deal]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    try { history.pushState(null, '', link.getAttribute('href')); } catch { /* a page without an address of its own */ }
    follows(link.hash);
  });
  root.addEventListener('keydown', event => {
    if (!ui.deal || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select')) return;
    if (event.target.matches('input') && /^(Arrow|Home|End)/.test(event.key)) return;
    const name = KEYS[event.key];
    if (name) { event.preventDefault(); does[name](); } else if (/^\d$/.test(event.key) && +event.key < ui.deal.seats.length) look(+event.key, false);
  });
  addEventListener('hashchange', () => follows(location.hash));
  addEventListener('popstate', () => follows(location.hash));
  const first = root.dataset.deal || DEALS.groups[0]?.addrs[0];
  if (!follows(location.hash) && first) open(first, {show: false, linked: false}).then(() => 'plays' in root.dataset && playUnasked());
}
