/* Games of tricks: the trick toward its seats, what is trumps, what was called; the tricks taken under the table. */
{
  /* A trick stands until the next is led: who played what, and who took it. */
  function follow(memo, step, before, after) {
    const took = takings(memo, step);
    if (!step.a.startsWith('play ')) return {...memo, took};
    const trick = [...(memo.over ? [] : memo.trick || []), {seat: step.s, c: step.a.slice(5)}];
    const over = (after.tricks || []).length > (before.tricks || []).length;
    if (!over) return {...memo, took, trick, over};
    const by = after.won.findIndex((n, k) => n > (before.won || [])[k]);
    return {took, trick, over, by, done: [...(memo.done || []), {trick, by}]};
  }

  function middle(deal, state, step, memo) {
    const trick = memo.trick || [], n = (memo.done || []).length;
    const laid = trick.map((play, j) => [play.seat, h(memo.over && memo.by === play.seat ? 'div.slot.win' : 'div.slot', null, card(play.c, j === trick.length - 1 && step?.a === 'play ' + play.c ? '.new' : ''), h('span', null, h('i.by', null, sr('by seat '), play.seat), j ? '' : h('span', null, 'led')))]);
    const between = memo.over ? [`trick ${n}`, h('b', null, ` to ${nameOf(memo.by)}`)] : trick.length ? `trick ${n + 1}` : deal.table.before(deal, state, memo);
    return [deal.table.head(deal, state, memo), trick.length ? toward(deal, laid, between) : h('div.waiting', null, between), sum(Object.values(state.pools)) ? h('div.stakes', null, Object.entries(state.pools).map(([name, n]) => h('span', null, `${name} `, h('b', null, figure(n)), chips(n)))) : null];
  }

  /* Tricks won, as many marks. */
  function tally(n) {
    const wide = 7 * n + 3 * Math.floor((n - 1) / 5);
    return n ? h('svg.tally', {width: wide, height: 10, viewBox: `0 0 ${wide} 10`, 'aria-hidden': 'true'}, [...Array(n).keys()].map(j => h('rect', {x: 7 * j + 3 * Math.floor(j / 5), width: 5, height: 10, rx: 1}))) : null;
  }

  function under(deal, state, memo) {
    if (!memo.done?.length) return null;
    return [h('h4', null, 'Tricks taken'), h('ol.tricks', null, memo.done.map(({trick, by}, j) => h('li', null, h('div', null, `${j + 1} · to `, who(by)),
      small(trick.map(play => play.c), (c, i) => trick[i].seat === by ? '' : '.dim', (c, i) => h('i', null, sr('by seat '), trick[i].seat)))))];
  }

  TABLES.tricks = {
    follow, middle, under,
    head: (deal, state) => trumpsLine(state),
    before: (deal, state) => state.turn_up ? turned(state.turn_up) : 'nothing led yet',
    tags: (deal, state, k, memo) => tookTag(memo, k),
    facts(deal, state, k) {
      const n = (state.won || [])[k];
      return [n == null ? null : h('span.won', null, tally(n), ' ', n ? many(n, 'trick') : 'no trick'), putOut((state.put_out || [])[k])];
    },
  };
}

/* The suit of trumps, where there is one. */
const trumpsLine = (state, without = null) => cap(state.trumps ? [suit(state.trumps), ' trumps'] : without);
/* A card turned up, with what it is. */
const turned = (c, label = 'turned up', note = '') => h('div.turned.big', null, card(c), h('span', null, label), note && h('span', null, note));
