/* Cards, drawn by us: index and pip in four clear suits; sentences about them, with pips and names. */
const SUITS = {s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs'};
const RANKS = {
  A: 'ace', K: 'king', Q: 'queen', J: 'knave', W: 'twelve', E: 'eleven', T: 'ten', 9: 'nine', 8: 'eight', 7: 'seven',
  6: 'six', 5: 'five', 4: 'four', 3: 'three', 2: 'two',
};
const UPWARDS = '23456789TEWJQKA';
const CODE = /\b([A23456789TEWJQK][shdc]|Jo)\b/;
const PIPS = {
  s: 'M10 1C10 1 2 7.3 2 12A4 4 0 0 0 9.2 14.4Q9 17.2 6.3 19H13.7Q11 17.2 10.8 14.4A4 4 0 0 0 18 12C18 7.3 10 1 10 1Z',
  h: 'M10 18.7C4.2 13.6 1.4 10.4 1.4 6.5A4.5 4.5 0 0 1 10 4.5A4.5 4.5 0 0 1 18.6 6.5C18.6 10.4 15.8 13.6 10 18.7Z',
  d: 'M10 .8Q12.8 5.8 17.2 10Q12.8 14.2 10 19.2Q7.2 14.2 2.8 10Q7.2 5.8 10 .8Z',
  c: 'M10 1A4.1 4.1 0 0 1 13 7.9A4.1 4.1 0 1 1 10.9 14.3Q11 17.2 13.7 19H6.3Q9 17.2 9.1 14.3A4.1 4.1 0 1 1 7 7.9A4.1 4.1 0 0 1 10 1Z',
  j: 'M10 .8L12.4 7.1L19.2 7.4L13.9 11.6L15.7 18.2L10 14.5L4.3 18.2L6.1 11.6L.8 7.4L7.6 7.1Z',
};

const isCard = text => typeof text === 'string' && /^([A23456789TEWJQK][shdc]|Jo)$/.test(text);
const suitOf = card => card === 'Jo' ? 'j' : card[1];
const face = card => card === 'Jo' ? 'Jo' : {T: '10', E: '11', W: '12'}[card[0]] || card[0];
const called = card => card === 'Jo' ? 'the joker' : `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
const pip = suit => h('svg.pip', {viewBox: '0 0 20 20', 'aria-hidden': 'true'}, h('path', {d: PIPS[suit], fill: 'currentColor'}));

/* A card, or its back for null; `cls` as '.new.dim': new (just moved), dim (out of it), win (the best of them). */
function card(c, cls = '') {
  if (!c) return h('span.card.back' + cls, {role: 'img', 'aria-label': 'a card face down'});
  const marked = /\.new/.test(cls) ? ', just now' : '';
  return h(`span.card.${suitOf(c)}${cls}`, {role: 'img', 'aria-label': called(c) + marked}, h(face(c).length > 1 ? 'b.ten' : 'b', {'aria-hidden': 'true'}, face(c)), pip(suitOf(c)));
}

/* Cards in a row; `cls` of each by the card; `big` in the middle of the table. */
const row = (cards, cls = () => '', big = false) => h(big ? 'div.row.big' : 'div.row', null, cards.map(c => card(c, cls(c))));
/* How many of n cards are in each row, so that rows are even if one cannot hold them all: on a narrow and on a wide page. */
const perRow = (n, most) => Math.max(2, Math.ceil(n / Math.max(1, Math.ceil(n / most))));
const spread = n => ({'--n': perRow(n, 10), '--m': perRow(n, 16)});
/* Cards that overlap, as they are held. */
const held = (cards, cls = () => '') => h('div.hand', {vars: spread(cards.length)}, cards.map(c => card(c, c ? cls(c) : '')));

/* A card in a sentence. */
const word = c => h('span.w.' + suitOf(c), null, h('span', {'aria-hidden': 'true'}, c === 'Jo' ? 'joker' : face(c), pip(suitOf(c))), sr(called(c)));
const suit = s => h('span.w.' + s, null, pip(s), ' ', SUITS[s]);
/* A seat in a sentence, or in a table: its number and its name. */
const who = k => h('span.who', null, h('i', null, k), ' ', nameOf(k));

/* A sentence of a game, with pips for its cards and names for its seats. */
function prose(text) {
  return text.split(/(\b[Ss]eat \d+\b|\b(?:[A23456789TEWJQK][shdc]|Jo)\b)/).map(part => /^seat \d+$/i.test(part) ? who(+part.slice(5)) : isCard(part) ? word(part) : part);
}
/* An action, as "call 3", "discard 2c 5d" or "trump s". */
const action = text => text.split(/(\b(?:[A23456789TEWJQK]?[shdc]|Jo)\b)/).map(part => isCard(part) ? word(part) : SUITS[part] ? suit(part) : part);
const cardsIn = text => text.match(new RegExp(CODE, 'g')) || [];

const height = c => c === 'Jo' ? 99 : UPWARDS.indexOf(c[0]);
const unseenLast = (a, b) => (a == null) - (b == null);
/* By suit, the highest first. */
const sorted = cards => [...cards].sort((a, b) => unseenLast(a, b) || (a && ('jshcd'.indexOf(suitOf(a)) - 'jshcd'.indexOf(suitOf(b)) || height(b) - height(a))));
/* By kinds: four, three, pairs, then the odd cards. */
function grouped(cards) {
  const kind = c => cards.filter(o => o && o[0] === c[0]).length;
  return [...cards].sort((a, b) => unseenLast(a, b) || (a && (kind(b) - kind(a) || height(b) - height(a) || 'shcd'.indexOf(a[1]) - 'shcd'.indexOf(b[1]))));
}

/* Counters as marks: thousands, hundreds, tens and ones. */
function chips(n) {
  const out = [], lots = [[1000, 30, 'm'], [100, 22, 'h'], [10, 14, 't'], [1, 7, 'o']];
  let left = Math.min(Math.abs(n), 9999);
  for (const [worth, width, cls] of lots) {
    for (; left >= worth; left -= worth) out.push(h('svg.chip.' + cls, {width, height: 7, viewBox: `0 0 ${width} 7`}, h('rect', {width, height: 7, rx: 3.5})));
  }
  return h('div.chips', {'aria-hidden': 'true'}, out);
}
/* A pool with its figure and its counters. */
const pool = (n, label = 'pool', note = '') => h('div.pool', null, label, h('strong', null, figure(n)), chips(n), note && h('span.cap', null, note));
const cap = (...kids) => h('div.cap', null, kids);
