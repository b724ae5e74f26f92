/* Solo Whist: what each has called, the sides, the cards of an open misere. */
TABLES['solo-whist'] = {
  head(deal, state, memo) {
    const side = state.caller == null ? [] : [state.caller, ...(state.partner == null ? [] : [state.partner])];
    const won = sum(side.map(k => state.won[k])), all = sum(state.won);
    return [trumpsLine(state, memo.trick ? 'no trumps' : null),
      side.length ? h('div.sides', null, h('span.a', null, h('b', null, side.map(nameOf).join(' and ')), ` ${state.call}`), h('strong', null, won), h('i', null, ':'), h('strong', null, all - won), h('span.b', null, 'the others'))
        : cap(state.calls?.length ? state.call === 'pass' ? 'nobody has called yet' : state.call : 'nobody has called yet')];
  },
  before: (deal, state) => turned(state.turned, 'turned up', `in the hand of ${nameOf(deal.dealer)}`),
  hand(deal, state, k, step) {
    if (state.caller !== k || !state.shown?.length) return TABLES.default.hand(deal, state, k, step);
    return h('div.laid', null, TABLES.default.hand(deal, {...state, hands: {[k]: state.hands[k].includes(null) ? state.shown : state.hands[k]}}, k, step));
  },
  tags(deal, state, k, memo) {
    const last = (state.calls || []).findLast(([seat]) => seat === k), tags = [];
    if (state.caller === k) tags.push([state.call, true]);
    if (state.partner === k) tags.push(['partner', true]);
    if (!tags.length && last && !memo.trick) tags.push([last[1]]);
    if (state.caller === k && state.shown?.length) tags.push(['hand laid open']);
    return tags;
  },
};
