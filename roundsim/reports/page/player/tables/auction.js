/* Auction: Speculation's best trump and its chief, what is for sale and who bids, cards turned and unturned. */
{
  const WHAT = {'turn-up': 'the turn-up, unseen', trump: 'the best trump', card: 'a card, unseen', lot: 'all cards left, unseen'};

  /* The sale that goes on, those that are over, and whose each card turned up is. */
  function follow(memo, step, before, after, deal) {
    const sales = memo.sales || [], on = memo.sale?.buyer === undefined ? memo.sale : null;
    let sale = on && step.p === 'bid' ? {...on, bids: [...on.bids, step]} : null;
    if (/^sell/.test(step.a)) {
      sale = {what: after.for_sale, card: after.for_sale === 'trump' ? before.best : null, seller: step.s, price: after.price, bids: []};
    }
    if (sale?.bids.length && after.bids.length) sale = {...sale, buyer: step.m?.find(move => move[1] === sale.seller)?.[0] ?? null};
    const owner = {...memo.owner}, buyer = sale?.buyer ?? null, now = after.turned.map((cards, k) => cards.slice(before.turned[k].length));
    now.forEach((cards, k) => cards.forEach(c => { owner[c] = buyer != null && sale.what !== 'trump' ? buyer : k; }));
    const fresh = [...now.flat(), ...(after.turn_up !== before.turn_up ? [after.turn_up] : [])];
    return {sale, sales: sale?.buyer !== undefined ? [...sales, sale] : sales, owner, fresh};
  }

  function best(state, memo) {
    if (!state.turn_up) return h('div.trump', null, h('span.slot.big', null, card(null), 'to be turned up'));
    const mark = c => memo.fresh?.includes(c) ? '.new' : '';
    return h('div.trump', null,
      state.best !== state.turn_up && h('span.slot', null, card(state.turn_up, mark(state.turn_up)), 'turned up'),
      h('span.slot.big', null, card(state.best, mark(state.best)), state.best === state.turn_up ? 'turned up, and the best' : 'the best trump'),
      h('span.chief', null, suit(state.trumps), ' trumps', h('br'), state.chief == null ? 'the pool’s own' : ['chief ', who(state.chief)]));
  }

  function middle(deal, state, step, memo) {
    return [pool(state.pools.pool), best(state, memo), saleOf(memo.sale, deal, WHAT),
      state.spare?.length ? h('div.taking', null, cap('the spare hand'), row(state.spare, c => memo.fresh?.includes(c) ? '.new' : '')) : null,
      cap(many(state.stock, 'card'), ' in the stock')];
  }

  function tags(deal, state, seat) {
    return state.chief === seat ? [['chief', true]] : [];
  }

  /* Unturned cards, and the cards sold with their buyers; and the best trump, if the seat bought that. */
  function facts(deal, state, seat, memo) {
    const cards = state.turned[seat], bought = state.chief === seat && !cards.includes(state.best), sold = new Map();
    for (const c of cards) if ((memo.owner?.[c] ?? seat) !== seat) sold.set(memo.owner[c], [...(sold.get(memo.owner[c]) || []), c]);
    return [bought ? h('span', null, 'has bought ', word(state.best)) : null, state.unturned[seat] ? `${state.unturned[seat]} unturned` : 'all turned',
      ...[...sold].map(([to, lot]) => h('span', null, 'sold ', lot.map(c => [word(c), ' ']), 'to ', who(to)))];
  }

  /* Before a seat: what it has turned, and what it has not. */
  function hand(deal, state, seat, step, memo) {
    const mark = c => (memo.fresh?.includes(c) ? '.new' : '') + (c === state.best && state.chief === seat ? '.win' : '');
    return h('div.lying', null, state.turned[seat].map(c => card(c, mark(c))), Array.from({length: state.unturned[seat]}, () => card(null)));
  }

  /* All sales, the last first. */
  function sold(sales) {
    const head = (text, cls = '') => h('th' + cls, {scope: 'col'}, text);
    const bids = sale => sale.bids.map((bid, at) => [at ? ' ' : '', h(bid.s === sale.buyer ? 'b' : 'span', null, amountOf(bid) || '–')]);
    const line = ([k, sale]) => h('tr', null, h('td', null, k + 1), h('td.l', null, sale.card ? word(sale.card) : WHAT[sale.what].split(',')[0]),
      h('td', null, sale.seller), h('td', null, sale.price), h('td', null, bids(sale)), h('td.l', null, sale.buyer == null ? 'nobody' : who(sale.buyer)));
    const heads = [h('td'), head('what', '.l'), head('seller'), head('from'), head('bids'), head('bought by', '.l')];
    return h('div.salelist', {tabindex: 0, role: 'group', 'aria-label': 'all sales'},
      h('table.counts', null, h('caption', null, 'What was for sale'), h('thead', null, h('tr', null, heads)), h('tbody', null, [...sales.entries()].reverse().map(line))));
  }

  function under(deal, state, memo) {
    const gone = state.gone || [], sales = memo.sales || [];
    if (!sales.length && !gone.length) return null;
    return h('div.market', null, sales.length > 0 && sold(sales),
      gone.length > 0 && h('div.pile', null, h('span.cap', null, 'turned up before, while the hands lay'), small(sorted(gone))));
  }

  TABLES.auction = {follow, middle, tags, facts, hand, under};
}

/* The amount of a bid; 0 for a pass. */
function amountOf(step) {
  return +(step.a.match(/\d+/) || [0])[0];
}

/* A sale that goes on, or is just over: its bids, hidden from other seats until all are in. */
function saleOf(sale, deal, what) {
  if (!sale) return null;
  const highest = Math.max(0, ...sale.bids.map(amountOf)), over = sale.buyer !== undefined;
  const bid = step => isCovered(step, looker(), ui.at) ? h('i', null, 'sealed') : amountOf(step) || h('i', null, 'pass');
  const each = step => h('li' + (over && step.s === sale.buyer ? '.buys' : ''), null, h('span.no', null, sr('seat '), step.s), ' ', bid(step));
  const bids = sale.bids.length ? h('ol.bids', {'aria-label': 'the bids'}, sale.bids.map(each)) : cap('all others bid, sealed');
  const coming = deal.seats.length - 1 - sale.bids.length;
  const end = over ? cap(sale.buyer == null ? 'nobody buys' : [who(sale.buyer), ' buys it for ', h('b', null, highest)]) : sale.bids.length ? cap(many(coming, 'bid'), ' to come') : null;
  return h('div.sale', null,
    h('div.lot', null, sale.what === 'turn' || sale.what === 'trump' ? '' : card(sale.card), h('span', null, who(sale.seller), ' sells ', what[sale.what], h('br'), 'from ', h('b', null, sale.price))),
    bids, end);
}
