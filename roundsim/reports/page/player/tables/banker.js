/* Banker: the bank in the middle, at the seats their boxes with total, fate and stake. */
{
  const WHAT = {turn: 'his turn as banker'}, NTH = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'], FATE = {stand: 'stands', over: 'over', natural: 'natural'};

  /* The boxes of a seat whose cards are hidden: in each the first card lies face down. */
  const hidden = ({stakes, shown, drawn}, k) => (stakes[k]?.length ? stakes[k] : [0]).map((_, j) => shown[k]?.[j]?.length ? shown[k][j] : [null, ...(drawn[k]?.[j] || [])]);

  /* The cards of each box, also when they have been paid and put away; and the sale of the turn. */
  function follow(memo, step, before, after) {
    const were = memo.boxes || before.boxes, more = (k, j) => (after.drawn[k][j] || []).slice(before.drawn[k][j]?.length || 0);
    const kept = (k, j) => after.shown[k][j]?.length ? after.shown[k][j] : [...were[k][j], ...more(k, j)];
    const boxes = after.boxes.map((mine, k) => !mine ? hidden(after, k) : mine.map((box, j) => box.length ? box : kept(k, j)));
    let sale = step.p === 'bid' ? {...memo.sale, bids: [...memo.sale.bids, step]} : null;
    if (step.p === 'sell' && /^sell/.test(step.a)) sale = {what: 'turn', card: null, seller: step.s, price: after.price, bids: []};
    if (sale?.bids.length && after.bids.length) sale = {...sale, buyer: after.buyer >= 0 ? after.buyer : null};
    return {boxes, sale};
  }

  function count(cards) {
    const low = sum(cards.map(c => c[0] === 'A' ? 1 : Number(c[0]) || 10));
    return low <= 11 && cards.some(c => c[0] === 'A') ? low + 10 : low;
  }

  /* A box as it is seen: its cards, null for those that lie face down. */
  function boxesOf(deal, state, seat, memo) {
    return ((memo.boxes || deal.start.boxes)[seat] || hidden(state, seat)).map((cards, j) => {
      const up = state.drawn[seat][j] || [], shown = (state.shown[seat] || []).some(box => box.length && box.every(c => cards.includes(c)));
      const open = sees(seat) || shown;
      const covered = [...cards.slice(0, cards.length - up.length).map(() => null), ...up];
      return {cards: open ? cards : covered, up, open, fate: state.fate[seat][j], stake: state.stakes[seat][j]};
    });
  }

  function box(each, j, at, fresh, big) {
    const total = each.open && each.cards.length ? count(each.cards) : null;
    const cls = (at ? '.at' : '') + (each.fate ? '.' + each.fate : '');
    const up = each.up.length ? h('span', null, count(each.up), ' up') : '';
    const cards = each.cards.map((c, k) => card(c, fresh && c && k === each.cards.length - 1 ? '.new' : ''));
    return h('div.bx' + cls, {role: 'group', 'aria-label': `box ${j + 1}`}, h(big ? 'div.row.big' : 'div.hand', {vars: spread(cards.length)}, cards),
      h('div.tell-box', null, total != null ? h('strong', null, total) : up, each.fate && h('span.fate', null, FATE[each.fate]),
        each.stake != null && h('span.stake', null, sr('stake '), each.stake, chips(each.stake))));
  }

  const boxed = (deal, state, seat, step, memo, big) => {
    const boxes = boxesOf(deal, state, seat, memo), asked = boxes.length > 1 && deal.steps[ui.at]?.s === seat, drew = step?.s === seat && step.a === 'card';
    return h('div.boxes', null, boxes.map((each, j) => box(each, j, asked && state.box === j, drew && state.box === j, big)));
  };

  const hand = (deal, state, seat, step, memo) => seat === state.banker ? h('div.hand.none') : boxed(deal, state, seat, step, memo, false);

  function middle(deal, state, step, memo) {
    const stakes = sum(state.stakes.flat()), figureOf = (n, label) => h('div', null, h('strong', null, n), label);
    return [h('div.bank', null, cap(who(state.banker), ' holds the bank'), cap(NTH[state.number] || `${state.number}th`, ' hand of his turn'), boxed(deal, state, state.banker, step, memo, true)),
      state.double && h('span.badge', null, 'every stake is doubled'),
      h('div.figures', null, figureOf(stakes, 'at stake'), figureOf(state.left, 'in the pack'), state.pools.pool ? figureOf(state.pools.pool, 'pool') : null),
      chips(stakes), saleOf(memo.sale, deal, WHAT)];
  }

  function tags(deal, state, seat) {
    const out = [];
    if (state.banker === seat) out.push(['banker', true]);
    if (state.buyer === seat) out.push(['bought the turn']);
    if (state.naturals.includes(seat)) out.push(['natural', true]);
    return out;
  }

  TABLES['vingt-un'] = {follow, hand, middle, tags};
}
