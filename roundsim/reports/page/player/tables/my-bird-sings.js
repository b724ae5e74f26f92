/* My Bird Sings: the card that goes from seat to seat, the birds that have sung, the stock and what is laid aside. */
{
  const suitsIn = cards => new Set(cards.map(c => c[1])).size;

  /* Which cards were handed over, from whom to whom; and the bird that sang, as the sentence names it, or the ship. */
  function follow(memo, step, before, after) {
    const giver = c => before.hands.findIndex(hand => hand.includes(c));
    const passed = after.received.flatMap((cards, to) => (cards || []).slice(before.received[to]?.length).map(c => ({c, to, from: giver(c) < 0 ? step.s : giver(c)})));
    if (step.p === 'sing' || step.p === 'sail') {
      return {passed, bird: {seat: step.s, cards: step.p === 'sing' ? cardsIn(step.t) : before.hands[step.s]}};
    }
    return {passed, bird: passed.length ? null : memo.bird};
  }

  const seen = pass => sees(pass.from) || sees(pass.to) ? pass.c : null;

  /* Its cards, unless they are marked in an open hand. */
  function singing(bird, state) {
    if (!bird) return null;
    const held = bird.cards.every(c => cardsOf(state, bird.seat).includes(c));
    return h('div.taking', null, cap(who(bird.seat), suitsIn(bird.cards) === 1 ? ': all of one suit' : ': four different suits'), held ? null : row(sorted(bird.cards), () => '.win'));
  }

  function middle(deal, state, step, memo) {
    const passed = memo.passed || [];
    const things = passed.map(pass => [pass.to, h('span.slot.big', null, card(seen(pass), '.new'), h('span', null, `from ${pass.from}`))]);
    const stock = h('div.pool', null, 'stock', h('strong', null, state.stock), state.stock ? card(null) : ''), round = `round ${state.round}`;
    return [h('div.stocked', null, pool(state.pools.pool), stock), things.length ? toward(deal, things, round) : cap(round), singing(memo.bird, state),
      state.laid_aside.length ? h('div.taking', null, cap('laid aside of the stock'), row(state.laid_aside)) : null,
      state.put_aside ? cap(many(state.put_aside, 'card'), ' put aside') : null];
  }

  function hand(deal, state, seat, step, memo) {
    const got = (memo.passed || []).filter(pass => pass.to === seat).map(pass => pass.c), bird = memo.bird?.seat === seat ? memo.bird.cards : [];
    return held(sorted(cardsOf(state, seat)), c => got.includes(c) ? '.new' : bird.includes(c) ? '.win' : '');
  }

  function tags(deal, state, seat) {
    const ship = deal.options.variant === 'ship', out = [];
    if (state.sang.includes(seat)) out.push([ship ? 'sailed' : 'sang', true]);
    if (state.order[0] === seat) out.push(['eldest']);
    return out;
  }

  function facts(deal, state, seat) {
    const tricks = state.tricks[seat];
    return [tricks.length ? h('span.birds', null, many(tricks.length, 'bird'), tricks.map(bird => small(bird))) : null];
  }

  function under(deal, state) {
    const got = state.received.map((cards, k) => [k, cards]).filter(([, cards]) => cards?.length);
    return got.length ? h('div.received', null, h('h4', null, 'What each has had from the neighbours, the last last'), h('div.hadlist', null, got.map(([k, cards]) => h('div', null, who(k), small(cards))))) : null;
  }

  TABLES['my-bird-sings'] = {follow, middle, hand, tags, facts, under};
}
