/* Spoil Five: the turn-up and who robbed it, who is debarred or jinks, points where they are played for. */
TABLES['spoil-five'] = {
  head: (deal, state, memo) => [trumpsLine(state), memo.trick && state.turn_up ? cap('turned up ', word(state.turn_up), state.robber != null ? [', taken by ', h('b', null, nameOf(state.robber))] : '') : null,
    state.live && cap('the pool is live: the deal before was spoilt')],
  before: (deal, state) => [turned(state.turn_up, state.robber != null ? `taken by ${nameOf(state.robber)}` : 'turned up'), state.turned?.length ? cap('before it ', state.turned.map(c => [word(c), ' '])) : null],
  tags: (deal, state, k, memo) => [state.jinker === k && ['jinks', true], state.robber === k && ['robbed'], state.declined === k && ['would not rob'], state.debarred === k && ['debarred', true], ...tookTag(memo, k)].filter(Boolean),
  facts: (deal, state, k) => [...TABLES.tricks.facts(deal, state, k), (state.scores || []).some(n => n) ? many(state.scores[k], 'point') : null],
};
