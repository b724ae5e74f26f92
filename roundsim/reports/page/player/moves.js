/* Why counters moved in a step: who gave them to whom, for what, and by which rule. */
const party = x => typeof x === 'number' ? who(x) : h('span.pl', null, x === 'pool' ? 'the pool' : action(x));

/* Moves with the same reason in one row: those who paid the same, or were paid the same. */
function together(moves) {
  const rows = [];
  for (const [from, to, counters, why, place] of moves) {
    const like = row => row.counters === counters && row.why === why && row.place === place;
    const same = rows.at(-1);
    if (same && like(same) && same.to.length === 1 && same.to[0] === to && !same.from.includes(from)) same.from.push(from);
    else if (same && like(same) && same.from.length === 1 && same.from[0] === from && !same.to.includes(to)) same.to.push(to);
    else rows.push({from: [from], to: [to], counters, why, place});
  }
  return rows;
}

function whyMoved(deal, at) {
  const moves = movesAt(deal, at), each = row => row.from.length > 1 || row.to.length > 1 ? ' each' : '';
  const parties = (list, arrow = '') => list.map((x, j) => [j ? ', ' : '', h('span.party', null, arrow && !j ? h('span', {'aria-hidden': 'true'}, arrow) : '', party(x))]);
  return [h('h4', null, 'Why the counters moved'), moves.length
    ? h('table', null, h('caption.sr', null, 'counters that moved in this step'),
      h('thead.sr', null, h('tr', null, ['from', 'to', 'counters', 'why', 'rule'].map(head => h('th', {scope: 'col'}, head)))),
      h('tbody', null, together(moves).map(row => h('tr', null, h('td', null, parties(row.from)), h('td', null, parties(row.to, '→ ')),
        h('td.r', null, figure(row.counters), each(row) && h('small', null, each(row))), h('td', null, row.why || '', row.place && h('small.rule', null, row.place))))))
    : h('div.note', null, at ? 'No counter moved in this step.' : 'No counter has moved yet.')];
}
