/* The player's files are joined in one function, in this order: dom, cards, deal, seats, tables/*, player.

   A table says how a family, or a game, is drawn: `TABLES.tricks = {...}`, `TABLES['solo-whist'] = {...}`.  For functions
   that a game leaves out, its family's are used, then those of `TABLES.default` in seats.js.  All are optional:
     follow(memo, step, before, after, deal)  what to remember of the steps with the state after: a new memo; the
                                              first is {}; `before` and `after` are states with every hand open
     middle(deal, state, step, memo)          the middle of the table: nodes; step is null before the first
     tags(deal, state, seat, memo)            marks next to a seat's name: [[text, key]], key for what matters most
     facts(deal, state, seat, memo)           a line under a seat's cards: [text or node]
     hand(deal, state, seat, step, memo)      a seat's cards: a node; `cardsOf` in seats.js is the usual one
     under(deal, state, memo, step)           what is below the table: a node or null
     with(state, seat, memo)                  with what a seat has taken the pool: text or node, if no event names it
     out(deal, state, seat, memo)             whether a seat is out of it: drawn faint
     order(cards)                             how cards are held: `sorted` by suit, or `grouped` by kinds
   The state is as it is seen from the seat that looks: cards of a hand that are not seen are null (card(null) is a back),
   own names of others are null in their lists.  Names at a file's top are shared by all: a table keeps its own in braces. */
const TABLES = {};

const $ = (query, at = document) => at.querySelector(query);
const $$ = (query, at = document) => [...at.querySelectorAll(query)];

const DRAWN = new Set(['svg', 'use', 'path', 'line', 'circle', 'ellipse', 'rect', 'text', 'g', 'tspan', 'defs', 'polygon', 'polyline']);

/* An element: h('div.class.other', {attribute: value, on: {click: f}, vars: {'--x': 1}}, ...children).  Text only ever goes
   in as text: no name or doc string can become markup. */
function h(tag, props, ...kids) {
  const [name, ...classes] = tag.split('.');
  const el = DRAWN.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name || 'div');
  if (classes.length) el.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(props || {})) {
    if (value === false || value == null) continue;
    if (key === 'on') for (const [event, heard] of Object.entries(value)) el.addEventListener(event, heard);
    else if (key === 'vars') for (const [name, to] of Object.entries(value)) el.style.setProperty(name, to);
    else el.setAttribute(key, value === true ? '' : value);
  }
  put(el, kids);
  return el;
}

function put(el, ...kids) {
  for (const kid of kids.flat(9)) if (kid != null && kid !== false && kid !== '') el.append(kid);
}

/* Replace the content of an element. */
function fill(el, ...kids) {
  el.replaceChildren();
  put(el, kids);
}

const icon = path => h('svg', {viewBox: '0 0 18 18', 'aria-hidden': 'true'}, h('path', {d: path}));
const sr = text => h('span.sr', null, text);
const many = (n, word, plural = word + 's') => `${n} ${n === 1 ? word : plural}`;
const spaced = n => String(Math.abs(n)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
const figure = n => (n < 0 ? '−' : '') + spaced(n);
const signed = n => (n > 0 ? '+' : n < 0 ? '−' : '') + spaced(n);
const sum = ns => ns.reduce((a, b) => a + b, 0);
