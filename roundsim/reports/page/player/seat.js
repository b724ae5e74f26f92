/* A seat at the table of a server, which sends what this seat may know, and understands what is typed: docs/sit.md. */
const view = $('#view'), parts = {};
const part = (name, tag, props, ...kids) => (parts[name] = h(tag, props, ...kids));
const PACES = {slow: 1200, usual: 500, 'at once': 0};  // milliseconds after a step
const seat = {socket: null, asked: null, chosen: new Set(), closed: false, heard: [], timer: 0, over: false, held: false, away: false, waits: ''};

function build() {
  fill(view, h('div.vgrid', null,
    h('div.side', null,
      part('ask', 'div.askbox', {role: 'group', 'aria-label': 'your answer'}),
      h('form.typed', {on: {submit: type}},
        h('label', null, sr('type an answer'), part('type', 'input', {type: 'text', placeholder: 'or type it: c2, pass, Jd', autocomplete: 'off', spellcheck: 'false', maxlength: 200})),
        h('button.tg', {type: 'button', on: {click: () => say('?')}}, 'hint ', h('kbd', null, '?')),
        part('undo', 'button.tg', {type: 'button', on: {click: () => say('undo')}}, 'undo ', h('kbd', null, 'u')),
        h('button.tg', {type: 'button', on: {click: () => say('r')}}, 'rule')),
      part('said', 'pre.said', {role: 'status'}),
      h('div.log', null, h('h3', null, 'What happened'), part('list', 'ol', {'aria-live': 'polite', tabindex: 0, 'aria-label': 'What happened'})),
      h('label.pace', null, 'the others move ', part('pace', 'select', null, Object.keys(PACES).map(name => h('option', null, name))))),
    h('div.vleft', null, part('board', 'div.boardbox'), h('div.under', null, part('under', 'div.record'), h('div.pair', null, part('why', 'div.why'))))));
}

/* The messages of the server: the beginning of a deal, a step, a line of the story, a question, a reply, the end. */
const HEARD = {
  deal(deal, me, final) {
    Object.assign(deal, {steps: [], net: deal.start.net});
    ui.deal = unfolded(deal);
    ui.seat = me;
    ui.at = 0;
    ui.open = seat.over = seat.away = false;
    parts.undo.hidden = final;
    fill(parts.list);
    asks(null);
  },
  step(step) {
    const {deal} = ui, state = deal.states[ui.at], next = after(state, step);
    deal.sealed ||= 'z' in step;
    deal.steps.push(step);
    deal.memos.push(deal.table.follow(deal.memos[ui.at], step, state, next, deal));
    deal.states.push(next);
    ui.at++;
    asks(null);
    delete deal.widest;
    delete deal.most;
  },
  line(text) {
    parts.list.append(h('li', null, prose(text.trim().replace(/ +/g, ' '))));
    parts.list.scrollTop = parts.list.scrollHeight;
  },
  ask(question) {
    asks({...question, answers: asHeld(question.answers)});
    fill(parts.said);
  },
  /* The mean net of each answer: an interval a row, all on one axis, the best first. */
  hint({head, grid, zero, ticks, rows}) {
    const axis = paths => h('svg.ivs', {viewBox: '0 0 100 30', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, [['g', grid], ['z', zero], ...paths].map(([cls, d]) => d && h(`path.${cls}`, {d})));
    const row = ({answer, who, said, line, dot}, j) => h(j ? 'tr' : 'tr.best', null, h('th', {scope: 'row'}, action(answer), who.map(name => h('span.tag', null, name))),
      h('td', null, axis([['w', line], ['dot', dot]]), h('span', null, prose(said))));
    const scale = h('div.scale', {'aria-hidden': 'true'}, ticks.map(([at, text]) => h('span', {vars: {'--x': `${at}%`}}, text)));
    fill(parts.said, h('table.hint', null, h('caption', null, head), h('tbody', null, rows.map(row)), h('tfoot', null, h('tr', null, h('td'), h('td', null, scale)))));
  },
  said(text) { parts.said.textContent = text; },
  /* A deal is over: it stays, with all cards where they may be seen, until the person goes on. */
  over(net, opened) {
    asks(null);
    fill(parts.said);
    seat.over = true;
    if (opened) ui.deal = withHands(unfolded(opened));
    ui.open = !!opened;
    afterwards(net[ui.seat], ui.open);
  },
  /* The choices of the person after a deal. */
  choices(all) {
    fill(parts.choices, all.map(([word, text], j) => h('button.ans', {type: 'button', on: {click: () => choice(word)}}, h('kbd', null, j + 1), h('span', null, text))));
  },
  /* In a lesson: what an answer was worth, and how the example goes on; it stays until the person goes on. */
  lesson(text) {
    asks(null);
    seat.held = true;
    fill(parts.ask, h('p.taught', {role: 'status'}, prose(text)), h('div.anss', null, h('button.ans', {type: 'button', on: {click: goOn}}, h('kbd', null, 1), h('span', null, 'go on'))));
  },
  /* With several persons: the one who is asked; and that the book answers for this seat. */
  waits(name) { seat.waits = name; },
  away() {
    asks(null);
    seat.away = true;
  },
  looks() { fill(parts.said, 'Another page is at this seat; this one looks on. When that one is closed, load this one again to play.'); },
  end(text) {
    asks(null);
    seat.over = false;
    fill(parts.ask, h('p.ask', null, 'The table is closed.'));
    parts.said.textContent = text;
  },
};

/* Answers by verb, those with cards of the hand as these are held. */
function asHeld(answers) {
  const {deal} = ui, held = deal.table.order(cardsOf(asSeen(deal, deal.states[ui.at], ui.seat), ui.seat)), verb = text => text.split(' ')[0];
  const verbs = answers.map(verb), places = text => cardsIn(text).map(c => held.includes(c) ? held.indexOf(c) : held.length);
  const byCards = (one, other) => one.map((place, j) => place - (other[j] ?? -1)).find(Boolean) ?? one.length - other.length;
  return [...answers].sort((a, b) => verbs.indexOf(verb(a)) - verbs.indexOf(verb(b)) || byCards(places(a), places(b)));
}

function asks(question) {
  seat.asked = question;
  seat.waits = '';
  if (question) seat.away = false;
  seat.chosen.clear();
}

/* Nobody answers a question that is not on the page yet. */
function say(text) {
  if ((seat.asked || seat.over || seat.away) && seat.socket?.readyState === WebSocket.OPEN) seat.socket.send(text);
}

function type(event) {
  event.preventDefault();
  const text = parts.type.value.trim(), isRank = seat.asked?.answers.some(answer => cardsIn(answer).length === 1 && face(cardsIn(answer)[0]) === text);
  if (!text) return;
  const button = /^[1-9]$/.test(text) && !isRank && $$('.anss .ans', parts.ask)[text - 1];
  if (button) button.click();
  else say(text);
  parts.type.value = '';
}

/* The listed answers in which all chosen cards are named. */
const fitting = () => (seat.asked?.answers || []).filter(text => [...seat.chosen].every(c => cardsIn(text).includes(c)));
const naming = c => (seat.asked?.answers || []).filter(text => cardsIn(text).includes(c));

/* A click on a card says its answer if it has only one; else it chooses the card. */
function choose(c) {
  const [only, ...more] = naming(c);
  if (only && !more.length && cardsIn(only).length === 1) { say(only); return; }
  if (!seat.chosen.delete(c)) seat.chosen.add(c);
  draw();
  $(`[data-card="${c}"]`, view)?.focus();
}

/* The answers as buttons: plain ones, those with the chosen cards, amounts, and of very many the verb with the cards. */
function buttons() {
  const {asked, chosen} = seat, found = fitting(), cards = [...chosen];
  const shown = found.length <= 9 ? found : found.filter(text => !cardsIn(text).length || (chosen.size && cardsIn(text).length === chosen.size));
  let place = 0;
  const button = (text, ...label) => h('button.ans', {type: 'button', on: {click: () => say(text)}}, h('kbd', null, ++place), h('span', null, label.length ? label : action(text)));
  const amount = ([verb, low, high]) => {
    const input = h('input', {type: 'number', min: low, max: high, value: low, 'aria-label': `${verb}, ${low} to ${high}`});
    return h('form.amount', {on: {submit: event => { event.preventDefault(); say(`${verb} ${input.value}`); }}}, h('button.ans', {type: 'submit'}, h('span', null, verb)), input, h('small', null, `${low} to ${high}`));
  };
  return [h('div.anss', null, shown.slice(0, 40).map(text => button(text)), asked.verbs.map(verb => button([verb, ...cards].join(' '), verb, ' ', cards.map((c, j) => [j ? ' ' : '', word(c)])))),
    asked.amounts.map(amount), found.length > shown.length && h('p.note', null, 'Choose cards of your hand.')];
}

/* Some choices are answered here, at the deal that is over; after the others the table goes on. */
function choice(word) {
  say(word);
  if (word === 'mistakes') return;
  seat.over = false;
  draw();
}

function comeBack() {
  say('back');
  seat.away = false;
  draw();
}

function goOn() {
  seat.held = false;
  go();
}

/* A deal that is over, with the hands of its last step as they were when they last got a card: there all are open. */
function withHands(deal) {
  const {states} = deal, end = states.at(-1);
  const atLast = (hand, k) => hand.length ? hand : states.findLast((state, j) => state.hands[k].some(c => !j || !states[j - 1].hands[k].includes(c)))?.hands[k] || [];
  states[states.length - 1] = {...end, hands: end.hands.map(atLast)};
  return deal;
}

/* After a deal: its nets, its steps, and what the person can do. */
function afterwards(net, open) {
  const last = ui.deal.steps.length;
  const words = h('span'), slide = h('input', {type: 'range', min: 0, max: last, on: {input: event => look(+event.target.value)}});
  const look = at => {
    ui.at = at;
    words.textContent = `All cards are open: step ${at} of ${last}`;
    draw();
  };
  fill(parts.ask, h('p.ask', null, net ? `You ${net > 0 ? 'win' : 'lose'} ${many(Math.abs(net), 'counter')}.` : 'You neither win nor lose.'),
    open && h('label.steps', null, words, slide), part('choices', 'div.anss'));
  if (open) {
    slide.value = last;
    look(last);
  }
}

/* The cards of this seat that can be answered with are buttons. */
function handle(state) {
  const {asked} = seat, cards = ui.deal.table.order(cardsOf(state, ui.seat)), drawn = $$('.seat.me .hand:not(.small) .card', parts.board);
  if (!asked || drawn.length !== cards.length) return;
  drawn.forEach((el, j) => {
    const c = cards[j];
    if (!asked.verbs.length && !naming(c).length) { el.classList.add('dim'); return; }
    el.classList.add('can');
    el.classList.toggle('sel', seat.chosen.has(c));
    for (const [key, value] of Object.entries({role: 'button', tabindex: 0, 'data-card': c, 'aria-pressed': String(seat.chosen.has(c))})) el.setAttribute(key, value);
    el.addEventListener('click', () => choose(c));
    el.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(c); } });
  });
}

function draw() {
  const {deal, at} = ui;
  if (!deal) return;
  const step = at ? deal.steps[at - 1] : null, state = asSeen(deal, deal.states[at], looker());
  fill(parts.board, boardOf(deal, state, step));
  fill(parts.under, deal.table.under(deal, state, deal.memos[at], step));
  fill(parts.why, movesAt(deal, at).length ? whyMoved(deal, at) : null);
  if (seat.asked) fill(parts.ask, h('p.ask', null, seat.asked.phase, '?'), buttons());
  else if (seat.away) fill(parts.ask, h('p.ask', null, 'You are away, and the book answers for you.'), h('div.anss', null, h('button.ans', {type: 'button', on: {click: comeBack}}, h('kbd', null, 1), h('span', null, 'I am back'))));
  else if (!seat.closed && !seat.over && !seat.held) fill(parts.ask, h('p.ask.wait', null, seat.waits ? `${seat.waits} is asked.` : 'The others are asked.'));
  handle(state);
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input:not([type=range])')) return;
  if (event.key === '?') say('?');
  if (event.key === 'u') say('undo');
  if (/^[1-9]$/.test(event.key)) $$('.anss .ans', parts.ask)[event.key - 1]?.click();
});

/* Do what the server said, in its order; after a step wait a little, so that the table can be followed. */
function go(pace = PACES[parts.pace.value]) {
  clearTimeout(seat.timer);
  seat.timer = 0;
  while (seat.heard.length && !seat.timer && !seat.held) {
    const [what, ...given] = seat.heard.shift();
    HEARD[what](...given);
    seat.closed = what === 'end';
    if (what === 'step' && pace) seat.timer = setTimeout(go, pace);
  }
  draw();
}

/* A key or a click that comes while the others move lets them move at once. */
for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, () => { if (seat.timer) go(0); });

/* The key of this tab, which stays when the page is loaded again: with it the seat does. */
function key() {
  const fresh = crypto.getRandomValues(new Uint32Array(4)).join('-');  // randomUUID is not there without https
  try { return sessionStorage.seat ||= fresh; }
  catch { return fresh; }  // a browser that stores nothing
}

build();
parts.pace.value = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'at once' : 'usual';
seat.socket = new WebSocket(`${view.dataset.server}?${key()}`);
seat.socket.addEventListener('message', event => {
  const said = JSON.parse(event.data), taught = said.findLastIndex(([what]) => what === 'lesson');
  seat.heard.push(...said.filter(([what], j) => what !== 'lesson' || j === taught));  // one that is loaded again stays at the last
  if (said.length > 1) go(0);  // what was before this page
  else if (!seat.timer) go();
});
seat.socket.addEventListener('close', () => {
  if (seat.closed || seat.heard.some(([what]) => what === 'end')) return;
  seat.heard.push(['end', 'The connection is lost. Load the page again, or go on with roundsim sit.']);
  go(0);
});
