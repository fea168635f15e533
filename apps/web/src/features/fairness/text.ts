import { countText, spanText } from '../../shared/format.ts';

/** Every text of the check of a match and of a lobby. */
export const VERIFY_TEXT = {
  title: 'Verify a match',
  lead: 'Your browser plays the match again and compares it with what was settled and what the chain paid. You need no account.',
  checks: {
    recording: ['Recording', 'Nothing is missing, and every byte has the published fingerprint'],
    commitment: ['Commitment', 'The secrets have the fingerprint that we published'],
    block: ['Block', 'The randomness depends on the named block of the chain'],
    anchor: ['Published', 'Commitment and rules were on the chain before that block was decided'],
    replay: ['Replay', 'Played again here, the match ends the same way'],
    portals: ['Portals', 'Blocks that nobody knew in advance decided where they opened'],
    inputs: ['Inputs', 'What players signed about their own moves is what was recorded'],
    entries: ['Entries', 'The chain shows who paid for each entry, in time'],
    settlement: ['Settlement', 'Everybody was credited with what they won in the arena'],
    payments: ['Payouts', 'The pool of this lobby paid each amount to the wallet that entered'],
    program: ['Program', 'What holds the pool on the chain is the program of this release'],
    receipts: ['Receipts', 'What your browser was promised while you played is in it'],
    hashes: ['Fingerprints', 'What the chain was told of the recording is this recording'],
  },
  states: { waiting: 'Waiting', running: 'Checking', fits: 'Passed', open: 'Open', wrong: 'Failed' },
  /** Of the match, not of the clock. */
  played: (tick: number, of: number | null) => {
    const ms = (ticks: number) => (ticks / TICKS_PER_SECOND) * 1000;
    return `${spanText(ms(tick))}${of === null ? '' : ` of ${spanText(ms(of))}`} played`;
  },
  verdicts: {
    right: 'Everything checks out.',
    open: 'Nothing is wrong so far, but something could not be checked. Each question mark says why.',
    wrong: 'This match fails the check.',
    soFar: (played: string) =>
      `The first ${played} check out. The match goes on: each further part can be checked ten to twenty minutes after it was played.`,
    running:
      'This match is still running. What was played can be checked ten to twenty minutes later: until then it would help the players.',
    unplayed: 'Nobody has played in this match, so there is nothing to check.',
    failed: 'The server did not send the match. Try again in a moment.',
  },
  own: (paid: string, got: string) => `You paid ${paid} into the pool and got ${got}.`,
  ownLater: (paid: string) =>
    `You paid ${paid} into the pool. What you got can be checked ten to twenty minutes after your game was over.`,
  later: (what: string) => `Not yet: ${what}`,
  watch: 'Watch',
  match: (id: string) => `Match ${id}`,
  node: {
    label: 'Address of a Solana node',
    hint: 'This page and the node it asks come from us. Name a node of your own, or run npm run verify with code that you have read.',
    placeholder: 'https://',
    again: 'Check again',
    invalid: 'An address begins with https://',
  },
  limits: {
    title: 'What this proves, and what it does not',
    proven: [
      'Secret, block, recording, settlement and payouts belong together. Whoever changes one of them is found out.',
      'Everybody got what the recording gives them, from the pool of this lobby.',
      'Where money was at stake, nobody knew where portals would open until seconds before, we included.',
    ],
    unproven: [
      'When we published the commitment of a free match. Whoever saw it in time can tell; Verify alone cannot.',
      'That the moves in the recording are those that players made: they pass through our server.',
      'That we told nobody the secret, that players are not friends or programs, and that our clock kept even time.',
      'What happened in the last seconds before our server died. It is marked, with the amount.',
    ],
  },
} as const;

/** For progress only; the recording has its own rate. */
const TICKS_PER_SECOND = 25;

export const LOBBY_CHECK_TEXT = {
  title: 'Check all matches of this lobby',
  lead: 'Your browser reads every transaction of the pool and every match: each payment belongs to one match or was returned, each payout to one entry, and the rest is in the pool.',
  start: 'Check',
  goOn: 'Continue',
  reading: { matches: 'matches read', transactions: 'transactions read' },
  progress: (done: number, of: number, what: string) => `${countText(done)} of ${countText(of)} ${what}`,
  verdicts: {
    right: 'It adds up, to the last unit.',
    open: 'Nothing is wrong so far.',
    wrong: 'It does not add up.',
  },
  figures: (paidIn: string, joins: number, paidOut: string, payouts: number) =>
    `${paidIn} came in with ${countText(joins)} ${joins === 1 ? 'payment' : 'payments'}, ${paidOut} went out with ${countText(payouts)} ${payouts === 1 ? 'payout' : 'payouts'}.`,
  failed: 'The server or the node did not answer. What was read is kept: continue, or name another node.',
} as const;
