/* Loo: who stands, the miss, what is played for; a single shows its cards as they were dealt. */
{
  const exchanged = (state, k) => /^discard/.test((state.declared || [])[k] || '');

  TABLES.loo = {
    head: (deal, state, memo) => [state.last_round ? cap('the last round') : null, state.trumps ? cap(suit(state.trumps), ' trumps', state.pam ? ['; Pam is ', word(state.pam)] : '') : null,
      memo.trick && state.turn_up ? cap('turned up ', word(state.turn_up)) : null,
      cap(state.played_for != null ? `played for ${figure(state.played_for)}` : '', state.loo != null ? `; a loo is ${figure(state.loo)}` : '')],
    before: (deal, state) => [state.turn_up && turned(state.turn_up, 'turned up', state.faced?.length ? 'a single' : ''), state.stock ? cap(`${state.stock} in the stock`) : null],
    hand(deal, state, k, step) {
      const mine = (state.faced || []).filter((_, j) => state.order[j % state.order.length] === k);
      if ((state.hands[k] || []).length) return TABLES.default.hand(deal, state, k, step);
      return held(mine.length ? mine : exchanged(state, k) ? [] : sorted((state.thrown_up || [])[k] || []));
    },
    tags(deal, state, k, memo) {
      const said = (state.declared || [])[k], tags = [];
      if (state.defender === k) tags.push(['plays the miss for the pool', true]);
      else if (state.miss === k) tags.push(['takes the miss', true]);
      else if (said === 'fold') tags.push(['throws up']);
      else if (exchanged(state, k)) tags.push([said.replace(/^discard (\d+)$/, 'exchanges $1')]);
      else if ((state.standing || []).includes(k)) tags.push(['stands']);
      return [...tags, ...tookTag(memo, k)];
    },
    facts: (deal, state, k) => [...((state.standing || []).includes(k) || (state.won || [])[k] ? TABLES.tricks.facts(deal, state, k) : []), exchanged(state, k) ? putOut((state.thrown_up || [])[k]) : null],
    out: (deal, state, k, memo) => Boolean(memo.trick) && !(state.standing || []).includes(k),
  };
}
