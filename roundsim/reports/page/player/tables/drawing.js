/* Drawing: Loto's cards at the seats with their numbers covered, the knobs in the order in which they were drawn. */
{
  const EARNED = ['', '', 'ambo', 'terne', 'quaterne', 'quinterne'], PRIZES = ['a row', 'two rows', 'the card'];
  const rowsOf = text => text.split('/').map(part => part.trim().split(/\s+/).map(Number));
  const drawnAt = state => new Map(state.knobs.map((knob, at) => [knob, at + 1]));
  const byHundred = deal => deal.options.method === 2;
  const column = number => Math.min(8, Math.floor(number / 10));

  /* With which knob each row of a card was covered, those that are, the first first. */
  const coveredAt = (text, at) => rowsOf(text).map(numbers => Math.max(...numbers.map(number => at.get(number) ?? Infinity))).filter(Number.isFinite).sort((a, b) => a - b);

  /* First method: with which knob a row, two rows, a card were whole first, and on which cards. */
  function prizes(deal, state) {
    if (byHundred(deal) || !state.knobs.length) return [];
    const at = drawnAt(state), times = state.cards.flatMap((cards, seat) => cards.map(number => ({seat, number, when: coveredAt(state.set[number], at)})));
    return PRIZES.map((name, place) => {
      if (deal.options.prizes && place < 2) return {};
      const first = Math.min(...times.map(each => each.when[place] ?? Infinity));
      return {name, first, cards: times.filter(each => each.when[place] === first)};
    }).filter(prize => Number.isFinite(prize.first));
  }

  /* A row in nine columns as on a real card; one with two numbers for a column stands as it is. */
  function cells(numbers, at) {
    const places = Array(9).fill(null), cramped = new Set(numbers.map(column)).size < numbers.length;
    numbers.forEach((number, k) => { places[cramped ? k : column(number)] = number; });
    return places.map(number => number == null ? h('td.gap') : h(at.has(number) ? 'td.hit' : 'td', {'data-knob': at.get(number)}, number, at.has(number) && sr(' covered')));
  }

  function cardOf(deal, state, number, at) {
    const line = numbers => {
      const when = numbers.map(each => at.get(each)).filter(Boolean), whole = when.length === 5, last = Math.max(...when);
      const end = byHundred(deal) ? EARNED[when.length] : whole ? [sr('whole with knob '), last] : '';
      return h(whole ? 'tr.whole' : 'tr', {'data-knob': whole ? last : null}, cells(numbers, at), h('td.end', null, end));
    };
    return h(byHundred(deal) ? 'table.lc.named' : 'table.lc', null, h('caption', null, 'card ', number), h('tbody', null, rowsOf(state.set[number]).map(line)));
  }

  function hand(deal, state, seat) {
    const at = drawnAt(state);
    return h('div.lcards', null, (state.cards[seat] || []).map(number => cardOf(deal, state, number, at)));
  }

  /* Back to when fewer knobs were drawn: what comes later is uncovered. */
  function upTo(input) {
    const board = input.closest('.board'), n = +input.value;
    for (const el of $$('.lc td[data-knob]', board)) el.classList.toggle('hit', +el.dataset.knob <= n);
    for (const el of $$('.lc tr[data-knob]', board)) el.classList.toggle('whole', +el.dataset.knob <= n);
    for (const el of $$('.knob', board)) el.classList.toggle('later', +el.dataset.knob > n);
    $('.upto output', board).textContent = `${n} of ${input.max} drawn`;
  }

  /* A button and a slider to draw the knobs once more; their keys are their own. */
  function again(n) {
    let timer = 0;
    const stop = () => { clearInterval(timer); timer = 0; };
    const slide = h('input', {type: 'range', min: 0, max: n, value: n, 'aria-label': 'knobs drawn', on: {input: () => { stop(); upTo(slide); }}});
    const to = knob => { slide.value = knob; upTo(slide); };
    const next = () => { if (slide.isConnected && +slide.value < n) to(+slide.value + 1); else stop(); };
    const click = () => { if (timer) { stop(); return; } to(0); timer = setInterval(next, 450); };
    return h('div.upto', {on: {keydown: event => event.stopPropagation()}},
      h('button.tg', {type: 'button', on: {click}}, icon(GO.play[1]), 'draw again'), h('output', null, `${n} of ${n} drawn`), slide);
  }

  function winners(won) {
    const line = prize => h('tr', null, h('th', {scope: 'row'}, prize.name), h('td', null, 'knob ', prize.first),
      h('td', null, prize.cards.map(each => h('span.line', null, who(each.seat), ', card ', each.number))));
    return h('table.prizes', null, h('caption.sr', null, 'who was first'), h('tbody', null, won.map(line)));
  }

  function knobs(deal, state) {
    const won = prizes(deal, state), n = state.knobs.length, marks = new Map(won.map(prize => [prize.first, prize.name]));
    const each = (knob, at) => {
      const mark = marks.get(at + 1);
      return h(mark ? 'li.knob.prize' : 'li.knob', {'data-knob': at + 1, title: `knob ${at + 1}` + (mark ? `: ${mark}` : '')}, knob, mark && sr(`, ${mark}`));
    };
    return [h('ol.knobs', {'aria-label': 'the knobs in the order in which they were drawn'}, state.knobs.map(each)), n > 1 && again(n), won.length > 0 && winners(won)];
  }

  function middle(deal, state, step) {
    return [pool(state.pools.pool), state.knobs.length ? knobs(deal, state) : cap('no knob is drawn yet'),
      cap(many(state.stock, 'card'), ' in stock', state.final && ' · a final drawing: nobody pays again'),
      state.knobs_away?.length ? h('div.away', null, cap('put away'), h('div.knobs.few', null, state.knobs_away.map(knob => h('span.knob', null, knob)))) : null];
  }

  function facts(deal, state, seat) {
    const at = drawnAt(state), held = state.held[seat], covered = (state.cards[seat] || []).map(number => rowsOf(state.set[number]).flat().filter(each => at.has(each)).length);
    const best = !byHundred(deal) && at.size && held ? `${Math.max(...covered)} of 15 covered` + (held > 1 ? ' on the best' : '') : null;
    return [!held ? 'no card' : held > 1 ? many(held, 'card') : null, best];
  }

  TABLES.drawing = {hand, middle, facts};
}
