/* Poker and its kin: the pool as a figure and as counters, what is to be met, who is in; what each has put up. */
{
  function middle(deal, state, step, memo) {
    const n = inTheMiddle(deal, state), taken = takers(deal, state, memo);
    const kitty = Object.entries(state.pools).filter(([name, n]) => name !== 'pool' && n);
    return [
      taken && !n ? null : pool(n, state.jack_pot ? 'jack pot' : 'pool'),
      taken || deal.table.asked(deal, state),
      deal.table.centre(deal, state, step, memo),
      kitty.map(([name, n]) => cap(`${name} ${figure(n)}`)),
    ];
  }

  function asked(deal, state) {
    const say = [];
    if (state.level) say.push(`to be met: ${figure(state.level)}`);
    if (state.raises) say.push(many(state.raises, 'raise'));
    if (state.still_in) say.push(`${state.still_in.length} in`);
    return cap(say.join(' · '));
  }

  function tags(deal, state, k, memo) {
    const tags = [];
    if (state.opener === k) tags.push(['opened', true]);
    if (state.backer === k) tags.push(['backs his hand', true]);
    if ((state.callers || []).includes(k)) tags.push(['called']);
    if (state.better === k && !memo.took?.[k]) tags.push(['last to raise', true]);
    if (state.age === k) tags.push(['age']); else if (state.eldest === k) tags.push(['eldest']);
    if (state.buck === k) tags.push(['buck']);
    if (out(deal, state, k)) tags.push(['out']); else if ((state.passed || []).includes(k)) tags.push(['passed']);
    return [...tags, ...tookTag(memo, k)];
  }

  const out = (deal, state, k) => state.still_in != null && ui.at > 0 && !state.still_in.includes(k);

  function facts(deal, state, k, memo) {
    const drew = (state.drawn || [])[k], put = state.put_out?.[k];
    return [memo.named?.[k] && h('b', null, memo.named[k]), state.stake?.[k] ? `put up ${figure(state.stake[k])}` : null,
      drew == null || drew.length === 0 ? null : Array.isArray(drew) ? `drew ${drew.join(', then ')}` : drew ? `drew ${drew}` : 'stood pat', putOut(put)];
  }

  /* Cards that were thrown up are shown faint, as far as they are seen. */
  function hand(deal, state, k, step) {
    if (cardsOf(state, k).length || !out(deal, state, k) || !sees(k)) return TABLES.default.hand(deal, state, k, step);
    const last = deal.states.slice(0, ui.at).findLast(each => each.hands[k]?.length);
    return held(last ? grouped(last.hands[k]) : []);
  }

  TABLES.poker = {hand, follow: remembered, middle, asked, tags, out, facts, order: grouped, centre: () => null};
}

/* Stud: the first card lies face down, the others face up. */
TABLES['stud-poker'] = {
  hand(deal, state, k, step, memo) {
    const hand = state.hands[k] || [], up = (state.up || [])[k] || [], shown = (state.shown || [])[k] || [];
    if (!hand.length && !shown.length) return held([]);
    const first = hand[0] || shown.find(c => !up.includes(c)) || null;
    const now = deal.states[Math.max(0, ui.at - 1)].up?.[k] || [];
    return h('div.hand.stud', null, card(first, '.down'), up.map((c, j) => card(c, ui.at && j >= now.length ? '.new' : '')));
  },
};

/* Draw Poker: the jack pot and its opener. */
TABLES['draw-poker'] = {
  centre(deal, state) {
    return [state.jack_pot ? cap(`to be opened with ${{J: 'knaves', Q: 'queens', K: 'kings', A: 'aces'}[state.opening_pair] || state.opening_pair} or better`) : null,
      state.openers_shown?.length ? h('div.turned', null, row(state.openers_shown), h('span', null, 'shown by the opener')) : null];
  },
  tags: (deal, state, k, memo) => [...TABLES.poker.tags(deal, state, k, memo),
    ...(state.jack_pot && state.barred?.[k] ? [['barred']] : []), ...(state.jack_pot && state.passed_jack?.[k] ? [['passes the jack pot']] : [])],
  facts(deal, state, k, memo) {
    return [...TABLES.poker.facts(deal, state, k, memo), state.payer && state.payer[k] !== k ? `${nameOf(state.payer[k])} pays for him` : null];
  },
};

/* Flat Poker: a blind, and one hand backed against the field. */
TABLES['flat-poker'] = {
  asked: (deal, state) => cap([state.blind ? `blind ${figure(state.blind)}` : 'the blind is not named', state.bet ? `the bet ${figure(state.bet)}` : '', state.still_in ? `${state.still_in.length} in` : ''].filter(Boolean).join(' · ')),
};

/* Bouillotte: the retourne counts with every hand. */
TABLES.bouillotte = {
  follow(memo, step) {
    const [, wins] = (step.e || []).join('; ').match(/all cards are shown, and (\w+) win/) || [];
    return {...remembered(memo, step), ...(wins ? {suit: Object.keys(SUITS).find(s => SUITS[s] === wins)} : {})};
  },
  /* The best card of the suit that wins, if a seat has one. */
  best: (state, k, memo) => memo.suit ? sorted(((state.shown || [])[k] || []).filter(c => suitOf(c) === memo.suit))[0] : null,
  with(state, k, memo) {
    const c = /suit/.test(memo.why?.[k] || '') ? this.best(state, k, memo) : null;
    return c ? ['with ', word(c)] : null;
  },
  facts(deal, state, k, memo) {
    const c = TABLES.poker.out(deal, state, k) ? null : this.best(state, k, memo);
    return [c ? h('span', null, 'best of the suit ', word(c)) : null, ...TABLES.poker.facts(deal, state, k, memo)];
  },
  centre: (deal, state, step, memo) => [state.retourne ? h('div.turned.big', null, h('div.row', null, card(state.retourne), state.under_card && card(state.under_card)), h('span', null, state.under_card ? 'retourne, and the card under it' : 'retourne')) : null,
    memo.suit && cap(suit(memo.suit), ' win')],
  tags: (deal, state, k, memo) => [...TABLES.poker.tags(deal, state, k, memo), ...(state.privilege === k ? [['privilege']] : [])],
};

/* Show-down Poker: every hand lies open; beaten hands are deadwood. */
TABLES['show-down-poker'] = {
  middle: (deal, state, step, memo) => [...TABLES.poker.middle(deal, state, step, memo), state.dead?.length ? h('div.turned', null, small(state.dead.slice(-10), () => '.dim'), h('span', null, many(state.dead.length, 'card'), ' dead')) : null],
};
