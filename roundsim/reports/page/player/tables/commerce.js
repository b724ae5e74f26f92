/* Commerce and its kin: the pool, the open cards, who has knocked or stood, lives. */
{
  /* The cards that a seat has just put out, and those it got for them, as far as they are seen. */
  function follow(memo, step, before, after) {
    const was = before.hands[step.s], now = after.hands[step.s], put = was.filter(c => !now.includes(c)), got = now.filter(c => !was.includes(c));
    const traded = step.p === 'trade' && put.length && got.length ? {seat: step.s, put, got, bought: step.a.startsWith('buy')} : null;
    return {...remembered(memo, step), traded};
  }

  function trade({seat, put, got, bought}) {
    const lies = (cards, cls, label) => h('span.slot', null, row(cards.map(c => sees(seat) ? c : null), () => cls), h('span', null, label));
    return h('div.traded', null, lies(put, '.dim', 'put out'), lies(got, '.new', bought ? 'bought' : 'taken'));
  }

  /* The cards of the table; what came there just now is marked. */
  function open(state, step, before) {
    const was = before?.table || [];
    return h('div.turned.big', null, row(state.table, c => step && !was.includes(c) ? '.new' : ''), h('span', null, 'open on the table'));
  }

  function middle(deal, state, step, memo) {
    const stock = state.stock == null ? null : cap(many(state.stock, 'card'), ' left in the pack');
    const empty = !sum(Object.values(state.pools)), taken = empty ? takers(deal, state, memo) : null;
    return [taken || (state.lives?.length && empty ? null : pools(state)),
      state.table?.length ? open(state, step, ui.at ? deal.states[ui.at - 1] : null) : memo.traded ? trade(memo.traded) : deal.table.closed(deal, state),
      cap(state.shown?.length ? 'all hands are shown' : state.knocker != null ? ['knocked by ', h('b', null, nameOf(state.knocker))] : state.turns ? many(state.turns, 'turn') + ' taken' : ''), stock,
      state.horse ? cap('on horseback: the last life') : null];
  }

  const lifeMarks = n => h('span.lives', null, h('svg', {width: 9 * n + 1, height: 9, viewBox: `0 0 ${9 * n + 1} 9`, 'aria-hidden': 'true'}, [...Array(n).keys()].map(j => h('circle', {cx: 4.5 + 9 * j, cy: 4.5, r: 3.5}))), ' ', n === 1 ? '1 life' : `${n} lives`);

  TABLES.commerce = {
    follow, middle, order: grouped, closed: () => null,
    tags(deal, state, k, memo) {
      const tags = [];
      if (state.knocker === k) tags.push(['knocked', true]); else if ((state.stood || []).includes(k)) tags.push(['stands', true]);
      return [...tags, ...tookTag(memo, k)];
    },
    facts: (deal, state, k, memo) => [memo.named?.[k] && h('b', null, memo.named[k]), state.lives?.length ? state.lives[k] > 0 ? lifeMarks(state.lives[k]) : 'no life' : null],
    out: (deal, state, k) => state.order?.length > 0 && !state.order.includes(k),
  };
}

/* Thirty-One: pips in one suit. */
TABLES['thirty-one'] = {
  order: sorted,
  facts(deal, state, k, memo) {
    const cards = cardsOf(state, k), worth = c => c[0] === 'A' ? 11 : 'TJQK'.includes(c[0]) ? 10 : +c[0];
    const counts = Object.keys(SUITS).map(s => [sum(cards.filter(c => c && c[1] === s).map(worth)), s]).sort((a, b) => b[0] - a[0]);
    return [...TABLES.commerce.facts(deal, state, k, memo), cards.length && !cards.includes(null) ? h('span', null, `${counts[0][0]} in `, h('span.w.' + counts[0][1], null, pip(counts[0][1])), sr(SUITS[counts[0][1]])) : null];
  },
};

/* Whiskey Poker: poker hands bettered from a widow, face down until somebody takes it. */
TABLES['whiskey-poker'] = {
  ...TABLES.commerce,
  closed: (deal, state) => state.order?.length && !state.shown?.length ? h('div.turned.big', null, row([null, null, null, null, null]), h('span', null, 'the widow, face down')) : null,
};
