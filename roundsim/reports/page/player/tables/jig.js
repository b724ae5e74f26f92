/* Jig: five places, Snip to Jig, that a run may fill. */
{
  const CALLS = ['Snip', 'Snap', 'Snorum', 'Hicocka\u00adlorum', 'Jig'];

  function places(state, step) {
    const run = state.run || [], just = step ? cardsIn(step.a) : [];
    return h('ol.jig', {'aria-label': 'the run'}, CALLS.map((call, at) => h('li' + (at < run.length ? '' : '.empty'), null,
      h('span.call', null, call), at < run.length ? card(run[at], just.includes(run[at]) ? '.new' : '') : h('span.vacant', {'aria-label': 'empty', role: 'img'}),
      h('span.by', null, at < run.length ? [sr('by seat '), state.played[run[at]]] : ''))));
  }

  function told(state) {
    if (state.winner != null) return ['seat ', state.winner, ' ', nameOf(state.winner), ' is out of cards'];
    if (!state.run.length) return ['seat ', state.leader, ' ', isTo(state.leader), ' lead'];
    return state.stopped ? [state.run.length === 5 ? 'Jig: ' : 'the run is stopped: ', 'seat ', state.leader, ' leads next'] : 'the run';
  }

  function middle(deal, state, step) {
    const paid = deal.options.pool || state.pools.pool;
    return [paid ? pool(state.pools.pool) : null, h('div.big.five', null, places(state, step)), cap(told(state))];
  }

  TABLES.jig = {middle};
}
