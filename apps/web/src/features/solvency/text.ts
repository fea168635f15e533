/** Every text of the solvency page. */
export const SOLVENCY_TEXT = {
  title: 'Solvency',
  lead: 'What the pools hold on the chain, and what is owed out of them. The accounts are public: anybody can look them up.',
  back: 'Back to the game',
  loading: 'Reading the pools',
  failed: 'The figures could not be loaded.',
  disconnected: 'The server does not answer. What you see is not current.',
  states: { covered: 'Covered', uncovered: 'Not covered', unknown: 'Not read' },
  totals: 'All lobbies',
  ofLobbies: (fresh: number, all: number) =>
    fresh === all
      ? `${all} ${all === 1 ? 'lobby' : 'lobbies'}`
      : `${fresh} of ${all} lobbies; the others could not be read`,
  pool: 'Pool on the chain',
  owed: 'Owed',
  owedTo: (people: number) => `to ${people} ${people === 1 ? 'person' : 'people'}`,
  difference: 'Difference',
  bounties: 'Carried in the arena',
  spill: 'Forfeited, to be shared',
  payouts: 'On the way to wallets',
  gifts: (amount: string) => `${amount} of it was given to the pool`,
  unmatched: (amount: string) => `${amount} of it is not matched with an entry yet`,
  missing: (amount: string) => `${amount} is missing`,
  exact: 'to the last unit',
  read: (ago: string, slot: string) => `Read ${ago} at slot ${slot}`,
  stale: (since: string) => `Not read since ${since}. The figures are from then and may be wrong by now.`,
  never: 'This pool has not been read yet.',
  account: 'Account of the pool',
  copy: 'Copy the address',
  copied: 'Copied',
  history: 'History',
  historyNote: 'One reading per hour, and every change of state. Kept for good.',
  noHistory: 'No reading yet.',
  older: 'Show older',
  chart: (readings: number, short: number) =>
    `${readings} readings, ${short === 0 ? 'all of them covered' : `${short} not covered`}`,
  columns: { time: 'Time', pool: 'Pool', owed: 'Owed', people: 'People', state: 'State' },
} as const;
