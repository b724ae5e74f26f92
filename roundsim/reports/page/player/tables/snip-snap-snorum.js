/* Snip-Snap-Snorum: the card that may be paired with those that it has paired, the lives, and all cards in order. */
{
  const CALLS = ['', 'Snip', 'Snap', 'Snorum'];

  /* The cards that pair one another, the last of them the one to be paired; all such chains so far. */
  function follow(memo, step, before, after) {
    const c = cardsIn(step.a)[0], played = {c, seat: step.s};
    const chains = memo.chains || (before.turn_up ? [[{c: before.turn_up, seat: null}]] : []);
    if (!c) return {...memo, chains};
    const goes = after.level && chains.length;
    return {chains: goes ? [...chains.slice(0, -1), [...chains.at(-1), played]] : [...chains, [played]]};
  }

  const chainsOf = (state, memo) => memo.chains || (state.turn_up ? [[{c: state.turn_up, seat: null}]] : []);
  const by = played => played.seat == null ? 'turned up' : [sr('by seat '), played.seat];

  function middle(deal, state, step, memo) {
    const chain = chainsOf(state, memo).at(-1) || [], just = step ? cardsIn(step.a) : [];
    const told = chain.length ? state.level ? null : 'to be paired' : 'no card is played yet';
    return [pool(state.pools.pool),
      chain.length ? h('ol.jig.chain.big', {'aria-label': 'the card to be paired, and what it pairs'}, chain.map((played, k) => h('li', null,
        h('span.call', null, CALLS[k]), card(played.c, just.includes(played.c) ? '.new' : ''), h('span.by', null, by(played))))) : null,
      cap(told)];
  }

  function tags(deal, state, seat) {
    const limited = deal.options.variant !== 'unlimited';
    if (limited && !state.lives[seat]) return [[state.first_out === seat ? 'out first' : 'out', true]];
    return limited && state.first_out === seat ? [['was out first']] : [];
  }

  const out = (deal, state, seat) => deal.options.variant !== 'unlimited' && !state.lives[seat];

  function lives(n, most) {
    if (most > 12) return many(n, 'life', 'lives');
    return h('span.lives', {role: 'img', 'aria-label': many(n, 'life', 'lives')}, [...Array(Math.max(n, most)).keys()].map(k => h(k < n ? 'i.on' : 'i')));
  }

  function facts(deal, state, seat) {
    const most = Math.max(deal.options.lives || 5, ...deal.start.lives);
    return [many(state.cards_left[seat], 'card'), deal.options.variant === 'unlimited' ? null : lives(state.lives[seat], most)];
  }

  function under(deal, state, memo) {
    const chains = chainsOf(state, memo);
    return chains.length ? h('div.played', null, h('h4', null, 'The cards as they were played'), h('ol.chains', null, chains.map(chain => h('li' + (chain.length > 1 ? '.paired' : ''), null,
      chain.map(played => h('span.one', null, card(played.c), h('span.by', null, by(played)))))))) : null;
  }

  TABLES['snip-snap-snorum'] = {follow, middle, tags, facts, under, out};
}
