/* The deals of the file: unpacked when one is opened, their states rebuilt from the changes. */
const DEALS = {
  groups: [], of: new Map(), codec: '',

  /* The deals in the file; nothing is unpacked yet. */
  read(element) {
    const data = element ? JSON.parse(element.textContent) : {groups: []};
    this.codec = data.codec;
    this.groups = data.groups;
    for (const group of this.groups) for (const addr of group.addrs) this.of.set(addr, group);
  },

  /* A deal, unfolded; null if it is not in the file. */
  async get(addr) {
    const group = this.of.get(addr);
    if (!group) return null;
    group.deals ??= inflated(group.data, this.codec).then(deals => new Map(deals.map(deal => [deal.addr, deal])));
    const deal = (await group.deals).get(addr);
    return deal ? unfolded(deal) : null;
  },
};

async function inflated(data, codec) {
  if (codec !== 'deflate-raw+base64') throw new Error(`deals are packed as ${codec}, which this page cannot read`);
  if (!self.DecompressionStream) throw new Error('this browser is too old to unpack the deals');
  const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

const tableOf = deal => ({...TABLES.default, ...TABLES[deal.family], ...TABLES[deal.game]});

/* The states of a deal, from the first on, each with what its table remembers of the steps. */
function unfolded(deal) {
  if (deal.states) return deal;
  deal.table = tableOf(deal);
  deal.sealed = deal.steps.some(step => 'z' in step);
  let state = {...deal.start, hands: deal.start.hands.map(listed)}, memo = {};
  deal.states = [state];
  deal.memos = [memo];
  for (const step of deal.steps) {
    const next = after(state, step);
    memo = deal.table.follow(memo, step, state, next, deal);
    deal.states.push(next);
    deal.memos.push(memo);
    state = next;
  }
  return deal;
}

const listed = text => text ? text.split(' ') : [];

/* The state after a step: `d` is new, `a_` appended, `k` changed under some keys. */
function after(state, step) {
  const next = {...state};
  for (const [name, value] of Object.entries(step.d || {})) next[name] = name === 'hands' ? value.map(listed) : value;
  for (const [name, more] of Object.entries(step.a_ || {})) next[name] = [...state[name], ...(name === 'hands' ? more.map(listed) : more)];
  for (const [name, keyed] of Object.entries(step.k || {})) {
    next[name] = Array.isArray(state[name]) ? [...state[name]] : {...state[name]};
    for (const [key, value] of Object.entries(keyed)) next[name][key] = name === 'hands' ? listed(value) : value;
  }
  return next;
}

const openHands = deal => 'hands' in deal.help && !deal.own.includes('hands');

/* A state as a seat sees it: others' cards are null, and so is what only they know.  For seat null everything is open. */
function asSeen(deal, state, from) {
  if (from == null) return state;
  const seen = {...state};
  if (!openHands(deal)) seen.hands = state.hands.map((hand, k) => k === from ? hand : hand.map(() => null));
  for (const name of deal.own) if (name !== 'hands' && Array.isArray(state[name])) seen[name] = state[name].map((value, k) => k === from ? value : null);
  return seen;
}

/* Whether the answer of a step is still hidden from the viewer's seat, after `at` steps. */
const isCovered = (step, from, at) => from != null && from !== step.s && 'z' in step && (step.z == null || at < step.z);

/* The text of a step, as heard from a seat. */
function said(step, from, at) {
  if (isCovered(step, from, at)) return 'answers, unseen by the others';
  return from != null && from !== step.s ? step.x ?? step.t : step.t;
}
/* The action of a step, as seen from a seat. */
const actionSeen = (step, from, at) => isCovered(step, from, at) ? '' : from != null && from !== step.s ? step.o ?? step.a : step.a;

/* Whether the step at this place is the first that differs from the deal that this one plays again. */
const differsAt = (deal, j) => deal.before?.step === j;

/* All counters in the middle of the table: those left from before, and those put up since. */
function inTheMiddle({start}, state) {
  const before = sum(Object.values(start.pools)) + sum(start.stake || []) + sum(start.net);
  return Math.max(0, before) - sum(state.net);
}
/* The movements of counters in a step, as [from, to, counters, why, place in the book]. */
const movesAt = (deal, at) => (at ? deal.steps[at - 1].m : deal.m) || [];
const eventsAt = (deal, at) => (at ? deal.steps[at - 1].e : deal.e) || [];
