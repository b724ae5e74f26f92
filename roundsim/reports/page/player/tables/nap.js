/* Nap: the call and who holds it, cards bought, the spare hand. */
TABLES.nap = {
  head(deal, state) {
    const call = state.senior == null ? 'nobody has called yet' : [h('b', null, nameOf(state.senior)), ': ', state.call.replace(/^call /, '')];
    return [trumpsLine(state), cap(call, state.multiplier > 1 ? `, counting ${state.multiplier} times` : '', state.spare_in_use ? ', with the spare hand' : '')];
  },
  before: (deal, state) => state.senior == null ? `${state.stock} in the stock` : [isTo(state.leader ?? state.senior), ' lead'],
  tags: (deal, state, k, memo) => [...(state.senior === k ? [[state.call, true]] : []), ...(state.order && !state.order.includes(k) ? [['sits out']] : []), ...tookTag(memo, k)],
  facts: (deal, state, k) => [...TABLES.tricks.facts(deal, state, k), (state.bought || [])[k] ? `bought ${state.bought[k]}` : null],
  out: (deal, state, k) => state.order?.length > 0 && !state.order.includes(k),
};
