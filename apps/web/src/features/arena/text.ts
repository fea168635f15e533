/** Every text of the arena; error texts are in the error registry, key labels in input/actions.ts. */
export const ARENA_TEXT = {
  liveTvl: 'Live TVL',
  portalTimer: 'Portal Timer',
  leaderboard: 'Leaderboard',
  playerCount: 'Player Count',
  population: (people: number, bots: number) =>
    `${people} ${people === 1 ? 'player' : 'players'}, ${bots} ${bots === 1 ? 'bot' : 'bots'}`,
  liveFeed: 'Live Feed',
  gameMap: 'Game Map',
  returnHome: 'Return Home',

  feed: {
    ate: 'ate',
    cashedOut: 'cashed out',
    disconnected: 'disconnected',
    joined: 'joined',
    opened: 'Lobby open',
    closing: (minutes: number) => `Lobby closing in ${minutes} min`,
    closed: 'Lobby closed',
    empty: 'Quiet so far.',
  },
  portals: {
    none: 'No portal open',
    in: (field: string) => `Portal in ${field}`,
    soonIn: (field: string) => `Opens in ${field}`,
  },
  connection: {
    poor: 'Poor connection',
    critical: 'Critical connection',
    figures: (rttMs: number, lossPercent: number) =>
      lossPercent > 0
        ? `${rttMs.toLocaleString('en-US')} ms, ${lossPercent}% loss`
        : `${rttMs.toLocaleString('en-US')} ms`,
  },
  kill: (amount: string, victim: string) => `${amount} from ${victim}`,

  loading: { title: 'Initializing Game...', text: 'Loading Game engine...' },
  failed: { title: 'Initializing Game failed', text: 'Please go back and select the lobby again.' },
  broken: { title: 'Game Loading Error', reload: 'Reload Page' },
  lost: { title: 'Network Disconnected', text: 'Trying to reconnect...' },
  hidden: { title: 'Still there?', text: 'Come back to this tab or you leave the match.' },
  back: 'Back to menu',
  spectator: { back: 'BACK', label: 'Spectator Mode', zoom: 'Scroll to zoom' },

  rekt: {
    title: 'REKT',
    lead: 'your dot got annihilated.',
    eatenBy: 'Eaten by',
    bagLost: 'Bag lost',
    finalMass: 'Final mass',
    spectate: 'Spectate',
    playAgain: 'Play Again',
  },
  secured: {
    title: 'Bag Secured',
    profits: 'Secured Profits',
    lobby: (name: string) => `Lobby ${name}`,
    lead: 'You have successfully exited through the portal',
    leadFree: 'You have successfully exited through the portal in a free lobby',
    leadClosed: 'The lobby closed and your whole bag came back',
    usdValue: 'USD value',
    finalMass: 'Final mass',
    entryFee: 'Entry fee',
    free: 'Free',
    playAgain: 'Play Again',
  },
  disconnected: {
    title: 'Disconnected',
    refund: 'Your refund is processing...',
    noRefund: 'You have been disconnected from the game due to network issues. Please try again.',
    pending: 'Pending',
    note: 'Final refund amount is subject to change based on player mass.',
    docs: 'Read the docs',
    viewRefund: 'View Refund',
  },
  forfeit: {
    title: 'Return Home',
    lead: 'Are you sure you want to forfeit this match?',
    cancel: 'Cancel',
    confirm: 'Confirm',
  },
} as const;
