import { countText } from '../../shared/format.ts';

/** Every text of the check of a match. */
export const VERIFY_TEXT = {
  title: 'Verify a match',
  lead: 'Your browser checks the match itself: it needs no trust in us, and no sign-in.',
  checks: {
    recording: ['Recording', 'Every byte matches the published hash'],
    commitment: ['Commitment', 'The secret is the one we committed to before the match'],
    block: ['Block', 'The randomness depends on the named block of the chain'],
    replay: ['Replay', 'Played again here, the match gives the same hashes'],
    entries: ['Entries', 'The chain shows who paid for each entry'],
    settlement: ['Settlement', 'Everybody was credited with what they won in the arena'],
    payments: ['Payouts', 'The chain paid each amount to each wallet'],
  },
  states: { waiting: 'Waiting', running: 'Checking', fits: 'Passed', open: 'Open', wrong: 'Failed' },
  tick: (tick: number, of: number | null) =>
    `tick ${countText(tick)}${of === null ? '' : ` of ${countText(of)}`}`,
  verdicts: {
    right: 'Everything checks out.',
    open: 'Nothing is wrong so far, but something cannot be checked yet.',
    wrong: 'This match fails the check.',
    running:
      'This match is still running. It can be checked when it has ended: until then, its secret and its recording stay closed.',
    unplayed: 'Nobody has played in this match, so there is nothing to check.',
    failed: 'The server did not send the match. Try again in a moment.',
  },
  watch: 'Watch',
  match: (id: string) => `Match ${id}`,
} as const;
