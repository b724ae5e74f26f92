/* Newmarket: the four cards of the board, what lies on each, and which card takes it. */
{
  const BEFORE = {A: 'K', K: 'Q', Q: 'J', J: 'T'};

  function stakeCard(c, state, step, won) {
    const counters = state.pools[c], moved = (step?.m || []).filter(move => move[0] === c || move[1] === c);
    const cls = moved.some(move => move[0] === c) ? '.won' : moved.length ? '.paid' : '';
    const taker = BEFORE[c[0]] + c[1];
    return h('div.staked' + cls + (counters ? '' : '.bare'), {role: 'group', 'aria-label': `${called(c)}: ${many(counters, 'counter')}`},
      h('div.big', null, card(c)), h('strong', null, figure(counters)), chips(counters),
      h('span.note', null, !counters && won ? [`${won.counters} to seat `, h('b', null, won.seat)] : ['for ', word(taker)]));
  }

  function middle(deal, state, step, memo) {
    const placing = step?.p === 'place' && !Object.keys(state.played).length;
    return [cap('the board'), h('div.board4', null, Object.keys(state.pools).map(c => stakeCard(c, state, step, memo.won?.[c]))),
      placing ? cap('before the cards: the stakes') : theRun(deal, state, step)];
  }

  TABLES.newmarket = {middle};
}
