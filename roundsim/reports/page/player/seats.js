/* Seats round the table, clockwise from the viewer's seat at the bottom; and what every table shares. */
const ui = {deal: null, at: 0, seat: null, open: true, legal: true, timer: 0};

const nameOf = k => ui.deal.seats[k] ?? `seat ${k}`;
const isTo = k => ui.deal.seats[k] === 'you' ? 'you are to' : `${nameOf(k)} is to`;
/* The seat that the cards are seen from; null: all are open. */
const looker = () => ui.open ? null : ui.seat;
const sees = k => looker() == null || looker() === k;
/* A fault is known to the seat that made it, and if all is open. */
const isFault = step => 'f' in step && sees(step.s);
const below = () => ui.seat ?? 0;

/* How many sit above, below, and on each side. */
function sidesOf(n) {
  if (n <= 2) return {below: 1, side: 0};
  if (n <= 5) return {below: 1, side: 1};
  if (n <= 9) return {below: 1, side: n < 8 ? 2 : 3};
  if (n <= 13) return {below: 3, side: n < 12 ? 3 : 4};
  return {below: n < 18 ? 3 : 4, side: Math.ceil((n - (n < 18 ? 6 : 8)) / 2)};
}

/* The seats by where they sit, each in reading order: from the left, from above. */
function zones(n, first) {
  const {below, side} = sidesOf(n), turn = [...Array(n).keys()].map(k => (first + k) % n), half = (below - 1) / 2;
  const low = [...turn.slice(n - Math.floor(half)), ...turn.slice(0, Math.ceil(half) + 1)].slice(-below);
  const rest = turn.filter(k => !low.includes(k));
  return {low: low.reverse(), left: rest.slice(0, side).reverse(), top: rest.slice(side, rest.length - side), right: rest.slice(rest.length - side)};
}

/* Where a seat sits: from -1, left or above, to 1. */
function spots(deal) {
  const n = deal.seats.length, at = zones(n, below()), found = [];
  const along = (count, place) => count === 1 ? 0 : (2 * place / (count - 1) - 1);
  at.top.forEach((k, j) => { found[k] = [along(at.top.length, j) * .75, -1]; });
  at.low.forEach((k, j) => { found[k] = [along(at.low.length, j) * .75, 1]; });
  at.left.forEach((k, j) => { found[k] = [-1, along(at.left.length, j) * .62]; });
  at.right.forEach((k, j) => { found[k] = [1, along(at.right.length, j) * .62]; });
  return found;
}

/* Things that lie before the seats, each toward its own: [[seat, node]]; what lies between goes last. */
function toward(deal, things, between) {
  const at = spots(deal), n = deal.seats.length;
  return h(n > 7 ? 'div.round.wide' : n > 4 ? 'div.round.mid' : 'div.round', null,
    things.map(([k, node]) => h('div.at', {vars: {'--x': at[k][0].toFixed(3), '--y': at[k][1].toFixed(3)}}, node)), between && h('div.between', null, between));
}

/* The cards of a seat: its hand; or, where that is not seen or gone, what it has shown. */
function cardsOf(state, k) {
  const hand = state.hands[k] || [], shown = (state.shown || [])[k];
  const open = Array.isArray(shown) && shown.every(isCard) ? shown : [];
  return open.length && (!hand.length || hand.includes(null)) ? open : hand;
}

TABLES.default = {
  follow: memo => memo,
  middle: (deal, state) => pools(state),
  tags: () => [],
  facts: () => [],
  under: () => null,
  out: () => false,
  order: sorted,
  hand(deal, state, k, step) {
    const just = step && step.s === k ? cardsIn(step.a) : [];
    return held(deal.table.order(cardsOf(state, k)), c => just.includes(c) ? '.new' : '');
  },
};

/* The counters that each seat has taken out of pools in this deal. */
function takings(memo, step) {
  const took = {...memo.took};
  for (const [from, to, counters] of step.m || []) if (typeof from === 'string' && typeof to === 'number') took[to] = (took[to] || 0) + counters;
  return took;
}
const NAMED = /\bseat (\d+) (?:has )?(?:the best hand, )?(threes|fours|thirty-one|(?:no |an? |two |three |four |five |\d+ in )[^,;:]+)/g;
/* The counters taken, and for what; and how the games have named the hands that were shown. */
function remembered(memo, step) {
  const named = {...memo.named}, why = {...memo.why};
  for (const [from, to, , reason] of step.m || []) if (typeof from === 'string' && typeof to === 'number') why[to] = reason;
  for (const event of step.e || []) for (const [, seat, words] of event.matchAll(NAMED)) named[seat] = words.trim();
  return {...memo, took: takings(memo, step), why, named};
}
const tookTag = (memo, k) => memo.took?.[k] > 0 ? [[`takes ${figure(memo.took[k])}`, true]] : [];
/* At the end, instead of an empty pool: who has taken it, how much, and with which hand or for what. */
function takers(deal, state, memo) {
  const each = Object.entries(memo.took || {});
  if (ui.at < deal.steps.length || !each.length) return null;
  return h('div.takers', null, each.map(([k, counters]) => h('div.taker', null, h('b', null, nameOf(k)), 'takes ', h('strong', null, figure(counters)), chips(counters),
    h('span', null, deal.table.with?.(state, k, memo) || memo.named?.[k] || memo.why?.[k]))));
}
/* Cards that a seat has put out, as far as they are seen. */
const putOut = (cards, label = 'put out') => cards?.length ? h('span.put', null, label, ' ', cards.map((c, j) => [j ? ' ' : '', word(c)])) : null;
/* Small cards in a row, in order of arrival, each with a text below it. */
const small = (cards, cls = () => '', under = null) => h('div.hand.small', null, cards.map((c, j) => under ? h('span.slot', null, card(c, cls(c, j)), under(c, j)) : card(c, cls(c, j))));

/* All pools, each with its figure. */
function pools(state) {
  const each = Object.entries(state.pools);
  if (each.length < 2) return each.map(([name, n]) => pool(n, name));
  return [h('div.pools', null, each.map(([name, n]) => h(n ? 'div.pool' : 'div.pool.none', null, name, h('strong', null, figure(n)), chips(n))))];
}

/* The layout of a seat's cards: smaller the more seats there are. */
function seatBox(deal, state, k, step) {
  const table = deal.table, memo = deal.memos[ui.at], before = ui.at ? deal.states[ui.at - 1].net[k] : 0;
  const moved = state.net[k] - before, next = deal.steps[ui.at];
  const tags = [...(deal.dealer === k ? [['dealer']] : []), ...table.tags(deal, state, k, memo)];
  const facts = table.facts(deal, state, k, memo).filter(fact => fact != null && fact !== '' && fact !== false);
  const cls = (step?.s === k ? '.did' : '') + (next?.s === k ? '.asked' : '') + (table.out(deal, state, k, memo) ? '.out' : '') + (below() === k && ui.seat != null ? '.me' : '');
  const faulty = step?.s === k && isFault(step);
  return h('div.seat' + cls, {role: 'group', 'aria-label': `seat ${k}, ${nameOf(k)}, net ${figure(state.net[k])}`, vars: {'--o': (k - below() + deal.seats.length) % deal.seats.length}},
    h('div.nm', null,
      h('span.id', null, h('span.no', {'aria-hidden': 'true'}, k), h('b', {title: nameOf(k)}, nameOf(k))),
      h('span.net', null, moved ? h('span.mv', null, sr('moved '), signed(moved), sr(', net ')) : '', signed(state.net[k]) || '0'),
      faulty && h('span.tag.fault', null, 'fault'), tags.map(([text, key]) => h(key ? 'span.tag.key' : 'span.tag', null, text)), next?.s === k && h('span.tag.next', null, 'next')),
    state.stacks && stackBar(deal, state, k),
    table.hand(deal, state, k, step, memo),
    h('div.sub', null, facts.map((fact, j) => [j ? ' · ' : '', fact])));
}

function stackBar(deal, state, k) {
  deal.most ??= Math.max(1, ...deal.states.flatMap(each => each.stacks || []));
  return h('div.stackbar', null, h('svg', {viewBox: '0 0 100 5', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, h('rect', {width: 100 * Math.max(0, state.stacks[k]) / deal.most, height: 5})), h('span', null, sr('stack '), figure(state.stacks[k])));
}

/* The table: the middle, and the seats round it. */
function boardOf(deal, state, step) {
  const n = deal.seats.length, at = zones(n, below()), box = k => seatBox(deal, state, k, step);
  const most = deal.widest ??= Math.max(...deal.states.map(each => Math.max(0, ...each.hands.map(hand => hand.length))));
  const cls = (n > 13 ? '.crowd' : n > 8 ? '.many' : '') + (most > 7 ? '.long' : '');
  return h(`div.board${cls}`, null,
    h('div.z-mid', {role: 'group', 'aria-label': 'the middle of the table'}, deal.table.middle(deal, state, step, deal.memos[ui.at])),
    h('div.z-low', null, at.low.map(box)), h('div.z-left', null, at.left.map(box)), h('div.z-top', null, at.top.map(box)), h('div.z-right', null, at.right.map(box)));
}
