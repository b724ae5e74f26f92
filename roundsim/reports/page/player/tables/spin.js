/* Spin: matrimony, intrigue and game as three pools; who has declared, and Spin, the ace of diamonds. */
{
  const PAIRS = {matrimony: ['Kd', 'Qd'], intrigue: ['Qd', 'Jd']};

  function pools(deal, state, step, memo) {
    return h('div.pools', null, Object.entries(state.pools).map(([name, counters]) => {
      const won = memo.won?.[name], pair = PAIRS[name];
      const note = !counters && won ? [`${won.counters} to seat `, won.seat] : pair ? pair.map(c => [word(c), ' ']) : 'out first';
      return poolOf(name, counters, step, note);
    }));
  }

  function tags(deal, state, seat) {
    const out = [];
    if (state.winner === seat) out.push(['out first', true]);
    if (state.played?.Ad === seat) out.push(['played Spin']);
    if (state.exempt === seat) out.push(['exempt']);
    return out;
  }

  function facts(deal, state, seat) {
    const shown = (state.shown || [])[seat] || [];
    return [many(state.cards_left[seat], 'card'), shown.length ? h('span.seen', null, 'has shown ', shown.map(c => [word(c), ' '])) : null];
  }

  const middle = (deal, state, step, memo) => [pools(deal, state, step, memo), theRun(deal, state, step)];

  TABLES.spin = {middle, tags, facts};
}
