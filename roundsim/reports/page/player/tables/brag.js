/* Brag: one pool of what is staked; or three, for the card face up, the bragging, and thirty-one. */
{
  const FOR = {first: 'the card face up', second: 'the bragging', third: 'thirty-one'};
  const three = state => 'third' in (state.pools || {});

  function middle(deal, state, step, memo) {
    if (!three(state)) return TABLES.poker.middle(deal, state, step, memo);
    return [h('div.pools', null, Object.entries(state.pools).map(([name, n]) => h(n ? 'div.pool' : 'div.pool.none', null, name, h('strong', null, figure(n)), chips(n),
      h('span.cap', null, FOR[name] || ''), state.taken?.[name] != null && h('span.tag.key', null, `to ${nameOf(state.taken[name])}`)))), deal.table.asked(deal, state)];
  }

  function hand(deal, state, k, step) {
    const cards = cardsOf(state, k), up = state.face_up?.[k];
    if (!up) return TABLES.default.hand(deal, state, k, step);
    const seen = cards.some(Boolean) ? cards.filter(c => c !== up) : Array(Math.max(0, cards.length - 1)).fill(null);
    return h('div.hand', {vars: spread(cards.length)}, grouped(seen).map(c => card(c)), cards.length ? card(up, '.up') : null);
  }

  TABLES.brag = {
    middle, hand,
    tags: (deal, state, k, memo) => [...TABLES.poker.tags(deal, state, k, memo).filter(([text]) => !three(state) || !text.startsWith('takes')), ...((state.retired || []).includes(k) ? [['worse in a comparison']] : [])],
    facts: (deal, state, k, memo) => [...TABLES.poker.facts(deal, state, k, memo), state.totals?.[k] ? `${state.totals[k]} pips` : null,
      ...Object.entries((state.compared || [])[k] || {}).map(([other, cards]) => putOut(cards, `saw ${nameOf(+other)}’s`))],
    out: (deal, state, k) => !three(state) && TABLES.poker.out(deal, state, k),
  };
}
