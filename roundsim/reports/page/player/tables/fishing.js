/* Fishing: the board, what a card takes from it, and what each side has taken. */
{
  const CASSINOS = {Great: 'Td', Little: '2s'};

  /* The cards that the step took or laid; and the last cards, which go to the last taker. */
  function follow(memo, step, before, after) {
    const [first, ...others] = cardsIn(step.a);
    if (!first) return memo;
    const takes = step.a.startsWith('take'), lay = takes ? before.board.filter(c => !others.includes(c)) : [...before.board, first];
    const rest = lay.filter(c => !after.board.includes(c));
    return {seat: step.s, card: first, taken: takes ? others : [], swept: takes && !lay.length, rest, restTo: rest.length ? after.last_taker : null};
  }

  function sidesOf(deal) {
    if (deal.sides) return deal.sides;
    return deal.seats.length === 4 && deal.options.partners !== false ? [0, 1, 0, 1] : deal.seats.map((_, k) => k);
  }

  function taking(memo) {
    if (!memo.taken?.length) return memo.card ? cap(nameOf(memo.seat), ' lays ', word(memo.card)) : null;
    const played = h('span.slot', null, card(memo.card, '.new'), h('span', null, 'played'));
    return h('div.taking', null, played, h('span.takes', null, 'takes'), row(memo.taken), memo.swept && h('span.badge', null, 'a sweep'));
  }

  function board(state, memo) {
    const bare = !state.board.length, cards = state.board.map(c => card(c, c === memo.card ? '.new' : ''));
    return h('div.spread.big', {role: 'group', 'aria-label': 'the board'}, bare ? h('span.bareboard', null, 'the board is bare') : cards);
  }

  function middle(deal, state, step, memo) {
    return [h('div.above', null, step && taking(memo) || cap('the board as it was dealt')), board(state, memo),
      memo.rest?.length ? h('div.taking', null, cap(nameOf(memo.restTo), ', who was last to take, has the rest'), row(memo.rest)) : null,
      cap(state.stock ? `${state.stock} still to be dealt` : 'all cards are dealt')];
  }

  function tags(deal, state, seat) {
    const side = sidesOf(deal), partner = side.findIndex((other, k) => other === side[seat] && k !== seat);
    return [...(state.last_taker === seat ? [['took last']] : []), ...(partner < 0 ? [] : [[`with seat ${partner}`]])];
  }

  function facts(deal, state, seat) {
    const taken = state.piles[seat].length;
    return [taken ? `${taken} taken` : 'nothing taken', state.sweeps[seat] ? many(state.sweeps[seat], 'sweep') : null,
      deal.options.score === 'game' && `score ${state.score[seat]}`];
  }

  const COUNTS = {
    cards: each => each.pile.length, spades: each => each.pile.filter(c => c[1] === 's').length, aces: each => each.pile.filter(c => c[0] === 'A').length,
    Great: each => +each.pile.includes('Td'), Little: each => +each.pile.includes('2s'), sweeps: each => each.sweeps,
  };
  const MOST = ['cards', 'spades'], ALONE = c => c[0] === 'A' || Object.values(CASSINOS).includes(c);

  /* Each side: its seats, its cards in the order in which they were taken, its sweeps. */
  function takers(deal, state) {
    const side = sidesOf(deal);
    return [...new Set(side)].map(s => {
      const seats = side.flatMap((other, k) => other === s ? [k] : []);
      return {seats, pile: seats.flatMap(k => state.piles[k]), sweeps: sum(seats.map(k => state.sweeps[k]))};
    });
  }

  /* The scoring items of each side; the most is marked, for cards and spades only if one side alone has it. */
  function counted(sides) {
    const head = name => h('th', {scope: 'col'}, CASSINOS[name] ? [h('span.wide', null, name, ' '), word(CASSINOS[name])] : name);
    const cell = (name, n) => {
      const others = sides.filter(each => COUNTS[name](each) >= n).length > 1;
      return h(n && MOST.includes(name) && !others || n && !MOST.includes(name) ? 'td.most' : 'td', null, n || '–');
    };
    return h('table.counts', null, h('caption', null, 'What each side has taken'), h('thead', null, h('tr', null, h('td'), Object.keys(COUNTS).map(head))),
      h('tbody', null, sides.map(each => h('tr', null, h('th', {scope: 'row'}, each.seats.map(k => h('span.line', null, who(k)))),
        Object.entries(COUNTS).map(([name, n]) => cell(name, n(each)))))));
  }

  function under(deal, state) {
    const sides = takers(deal, state), names = each => each.seats.map((k, at) => [at ? ' and ' : '', nameOf(k)]);
    if (!sides.some(each => each.pile.length)) return null;
    const pile = each => each.pile.length ? h('div.pile', null, h('span.cap', null, names(each)), small(each.pile, c => ALONE(c) ? '.win' : '')) : null;
    return h('div.takings', null, counted(sides), sides.map(pile));
  }

  TABLES.fishing = {follow, middle, tags, facts, under};
}
