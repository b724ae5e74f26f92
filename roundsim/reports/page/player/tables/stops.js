/* Stops: the run with the seats that played it, and by suit and rank who played what. */
{
  const LOW = 'A23456789TJQK';
  const OUT = {
    'pope-joan': () => ['8d'],
    spin: () => ['2h', '8d'],
    newmarket: state => ['7s', '7h', '7d', '7c', ...Object.keys(state.pools)],
  };

  /* The stops so far, and how much a seat has won from each pool. */
  function follow(memo, step, before, after) {
    const won = {...memo.won}, stops = {...memo.stops}, last = (after.run || []).at(-1);
    for (const [from, to, counters] of step.m || []) if (typeof from === 'string' && typeof to === 'number') won[from] = {seat: to, counters};
    if (last && (after.stopped || after.winner != null)) stops[last] = true;
    return {won, stops};
  }

  function middle(deal, state, step, memo) {
    return [stopsPools(deal, state, step), theRun(deal, state, step)];
  }

  const tags = (deal, state, seat) => state.winner === seat ? [['out first', true]] : [];

  const facts = (deal, state, seat) => state.cards_left ? [many(state.cards_left[seat], 'card')] : [];

  function under(deal, state, memo) {
    return Object.keys(state.played || {}).length || deal.game !== 'newmarket' ? whoPlayed(deal, state, memo) : null;
  }

  /* The location of a card, as far as it is seen: who played it, in whose hand it is, or that it is not available. */
  function placeOf(c, deal, state, memo) {
    if (c in state.played) return {cls: '.p' + (memo.stops?.[c] ? '.stop' : ''), text: state.played[c], said: `played by seat ${state.played[c]}`};
    const out = [...(OUT[deal.game]?.(state) || []), ...(state.missing || [])];
    if (c === state.turn_up) return {cls: '.x', text: '×', said: 'turned up'};
    if (out.includes(c)) return {cls: '.x', text: '×', said: 'not to be had'};
    const seat = state.hands.findIndex(hand => hand.includes(c));
    return seat < 0 ? {cls: '', text: '', said: ''} : {cls: '.h', text: seat, said: `in the hand of seat ${seat}`};
  }

  function whoPlayed(deal, state, memo) {
    const now = (state.run || []).at(-1);
    const cell = (s, r) => {
      const {cls, text, said} = placeOf(r + s, deal, state, memo);
      return h('td' + cls + (now === r + s ? '.cur' : ''), {title: said && `${called(r + s)}: ${said}`}, h('span', {'aria-hidden': 'true'}, text), said && sr(said));
    };
    const heads = [...LOW].map(r => h('th', {scope: 'col'}, face(r + 's'), sr(' ' + RANKS[r])));
    const line = s => h('tr', null, h('th.w.' + s, {scope: 'row'}, pip(s), sr(SUITS[s])), [...LOW].map(r => cell(s, r)));
    const keys = [['p', 2, 'seat 2 played it'], ['p.stop', 2, 'a stop'], ['h', 2, 'seat 2 holds it'], ['x', '×', 'not to be had']];
    return h('div.played', null,
      h('table.suits', null, h('caption', null, 'Which seat played what'), h('thead', null, h('tr', null, h('td'), heads)), h('tbody', null, [...'shcd'].map(line))),
      h('p.keyline', {'aria-hidden': 'true'}, keys.map(([cls, mark, says]) => h('span', null, h('i.' + cls, null, mark), ' ', says))));
  }

  TABLES.stops = {follow, middle, tags, facts, under};
}

/* The run: its cards in the order of play, and under each the seat that played it. */
function theRun(deal, state, step, names = []) {
  const run = state.run || [], just = step ? cardsIn(step.a) : [];
  const over = state.winner != null ? ['seat ', state.winner, ' ', nameOf(state.winner), ' is out of cards'] : state.stopped ? 'the run is stopped' : 'the run';
  if (!run.length) return cap(state.leader == null ? '' : ['seat ', state.leader, ' ', isTo(state.leader), ' lead']);
  return h('div.ran', null, cap(over), h('ol.run' + (state.stopped || state.winner != null ? '.over' : ''), {'aria-label': 'the run', vars: spread(run.length)},
    run.map((c, at) => h('li', null, names[at] && h('span.call', null, names[at]), card(c, just.includes(c) ? '.new' : ''), h('span.by', null, sr('by seat '), state.played[c])))));
}

/* The pools that a game has besides the cards; a single one may be empty for the whole deal. */
function stopsPools(deal, state, step) {
  const pools = Object.entries(state.pools || {});
  return pools.length ? h('div.pools', null, pools.map(([name, counters]) => poolOf(name, counters, step))) : null;
}

/* A pool by its name, marked if counters came or went just now; `note` below it. */
function poolOf(name, counters, step, note) {
  const moved = (step?.m || []).filter(move => move[0] === name || move[1] === name);
  const cls = moved.some(move => move[0] === name) ? '.won' : moved.length ? '.paid' : '';
  return h('div.pool.of' + cls + (counters ? '' : '.bare'), null, name, h('strong', null, figure(counters)), chips(counters), note && h('span.note', null, note));
}
