/* Pope Joan: the board as a ring of compartments, what each holds and who has won it, and the card turned up in it. */
{
  const R = 126, r = 52, MID = 130;
  const at = (radius, angle) => [MID + radius * Math.cos(angle), MID + radius * Math.sin(angle)];
  const xy = (radius, angle) => at(radius, angle).map(n => n.toFixed(1)).join(' ');

  /* The cards that win a compartment; without trumps, which they will be of. */
  function cardsOf(name, trumps) {
    const ranks = {ace: 'A', king: 'K', queen: 'Q', knave: 'J', matrimony: 'KQ', intrigue: 'QJ'}[name];
    return name === 'pope' ? ['9d'] : [...(ranks || '')].map(rank => rank + (trumps || ' '));
  }

  /* Counters as discs along the rim, tens larger. */
  function discs(n, middle, wide) {
    const sizes = [...Array(Math.min(Math.floor(n / 10), 12)).fill(4), ...Array(n % 10).fill(2.6)];
    const apart = Math.min(.085, wide * .8 / Math.max(1, sizes.length));
    return sizes.map((size, k) => {
      const [x, y] = at(R - 6.5, middle + (k - (sizes.length - 1) / 2) * apart);
      return h(size > 3 ? 'circle.ten' : 'circle.one', {cx: x.toFixed(1), cy: y.toFixed(1), r: size});
    });
  }

  /* The cards of a compartment, small, in the middle of a line. */
  function marks(cards, x, y) {
    const width = 25;
    return cards.map((c, k) => {
      const left = x + (k - cards.length / 2) * width;
      return h('g.w.' + (c[1] === ' ' ? 'none' : c[1]), null, h('text.rank', {x: left + 11, y}, face(c)),
        c[1] !== ' ' && h('path', {d: PIPS[c[1]], transform: `translate(${(left + 12.2).toFixed(1)} ${(y - 8.4).toFixed(1)}) scale(.46)`, fill: 'currentColor'}));
    });
  }

  function compartment(name, k, n, state, moves, won) {
    const wide = 2 * Math.PI / n, from = k * wide - Math.PI / 2 - wide / 2, to = from + wide, mid = (from + to) / 2;
    const counters = state.pools[name], [x, y] = at(84, mid), taken = moves.find(move => move[0] === name), put = moves.some(move => move[1] === name);
    const cls = taken ? '.won' : put ? '.paid' : '';
    return h('g.cell' + cls, null,
      h('path', {d: `M${xy(r, from)}L${xy(R, from)}A${R} ${R} 0 0 1 ${xy(R, to)}L${xy(r, to)}A${r} ${r} 0 0 0 ${xy(r, from)}Z`}),
      discs(counters, mid, wide), marks(cardsOf(name, state.trumps), x, y - 12),
      !counters && won ? h('text.to', {x, y: y + 4}, `${won.counters} to seat ${won.seat}`) : h('text.q' + (counters ? '' : '.zero'), {x, y: y + 5}, counters),
      h('text.lb', {x, y: y + 15.5}, name));
  }

  function board(deal, state, step, memo) {
    const names = Object.keys(state.pools), moves = (step ? step.m : deal.m) || [];
    const said = names.map(name => `${name} ${state.pools[name]}${memo.won?.[name] ? `, won by seat ${memo.won[name].seat}` : ''}`).join('; ');
    const order = [...names.keys()].sort((a, b) => moves.some(move => move[0] === names[a]) - moves.some(move => move[0] === names[b]));
    return h('div.ringed', null,
      h('svg.ring', {viewBox: '0 0 260 260', role: 'img', 'aria-label': `the board: ${said}`}, h('circle.rim', {cx: MID, cy: MID, r: 129}),
        order.map(k => compartment(names[k], k, names.length, state, moves, memo.won?.[names[k]]))),
      h('div.hub', null, state.turn_up ? [card(state.turn_up), h('span', null, 'turned up')] : h('span', null, 'not dealt yet')));
  }

  function middle(deal, state, step, memo) {
    return [board(deal, state, step, memo), theRun(deal, state, step), state.put_away ? cap(many(state.put_away, 'card'), ' put away unseen') : null];
  }

  function facts(deal, state, seat) {
    const away = (state.looked_at || [])[seat] || [];
    return [state.cards_left && many(state.cards_left[seat], 'card'), away.length ? h('span.seen', null, 'saw put away ', away.map(c => [word(c), ' '])) : null];
  }

  TABLES['pope-joan'] = {middle, facts};
}
