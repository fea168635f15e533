import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import type { Move } from '@engulf/sim/testing/random-play';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { KeptMatch } from './kept-receipts.ts';
import { playMatch } from './testing/played-match.ts';
import { type Operator, signingKey, signingPlayers } from './testing/signing-players.ts';
import { verifyMatch } from './verify-match.ts';

/* Forgeries of inputs, with the numbers of the table in docs/fairness.md. */

const SECONDS = 70;
/** Nobody is eaten, and nobody can leave. */
const RULES = {
  ...crowdedRules,
  spawn: { ...crowdedRules.spawn, mass: 200, invulnerableSeconds: 1_000 },
  portals: { ...crowdedRules.portals, idleSeconds: 1_000 },
  departure: { graceSeconds: 1_000 },
};

/** Two players who circle, and split and eject now and then. */
const moves: Move[][] = Array.from({ length: SECONDS * 25 }, (_, turn) => {
  const circle = (who: number): Move => {
    const angle = turn / 9 + who;
    const what = turn % 90 === 7 * who + 5 ? 'split' : turn % 30 === 3 * who ? 'eject' : 'steer';
    return { what, who, x: Math.round(300 * Math.cos(angle)), y: Math.round(300 * Math.sin(angle)) };
  };
  if (turn === 0)
    return [
      { what: 'join', stake: 1_000n },
      { what: 'join', stake: 500n },
    ];
  return [circle(0), circle(1)];
});

async function play(operator: Operator = {}, by?: number) {
  const pages = signingPlayers(operator);
  const { match, recording, chain } = playMatch({ seed: 4, moves }, { rules: RULES, pages });
  const statements = by === undefined ? undefined : pages.kept.get(by);
  const { id: matchId, commitment } = match;
  const kept: KeptMatch | undefined = statements && { matchId, commitment, receipts: [], statements };
  const verdict = await verifyMatch(match, recording, chain, undefined, kept);
  return { ...verdict, recording, statements };
}

const FIRST = 65_536;
const mirror: Operator['pass'] = (command, tick) =>
  command.type === 'steer' && command.player === FIRST && tick > 400
    ? { ...command, x: -command.x }
    : command;

afterEach(() => void vi.restoreAllMocks());

describe('signed inputs', () => {
  test('that are those of the recording fit, and nearly all of the game is confirmed', async () => {
    const { isRight, line, notes, open } = await play({}, 1);
    expect({ isRight, open }).toEqual({ isRight: true, open: [] });
    expect(line).toContain('8 signed statements of players about their inputs fit');
    // The last statement is of second 60.
    expect(notes.join()).toMatch(/8\d % of Player 1's.*8\d % of Player 2's/);
    expect(notes.join()).not.toContain('nothing that');
  });

  test('1c: of a player whose inputs were swapped while the match ran, nothing is confirmed, and the player can show it', async () => {
    const { wrong, notes } = await play({ pass: mirror });
    expect(wrong).toBeUndefined();
    expect(notes.join()).toMatch(/2\d % of Player 1's.*8\d % of Player 2's/);
    expect(notes.join()).toContain('nothing that Player 1 signed confirms 15 s to 1 min 10 s');
    const own = await play({ pass: mirror }, 1);
    expect(own.isRight).toBe(false);
    expect(own.open.join()).toContain('3 statements that you signed: the recording has other inputs there');
    expect((await play({ pass: mirror }, 2)).open).toEqual([]);
  });

  test('1c: swapped inputs beside the statements of what was sent are wrong', async () => {
    const { wrong } = await play({ pass: mirror, keeps: () => true });
    expect(wrong).toMatchObject({ check: 'inputs', what: expect.stringContaining('not of these inputs') });
  });

  test('1c: invented inputs are those of nobody', async () => {
    const { wrong } = await play({ forges: signingKey(1).key });
    expect(wrong).toMatchObject({ check: 'inputs' });
  });

  test('1c: a statement of a player whom the recording does not have is wrong', async () => {
    const { wrong } = await play({
      names: (player) => (player === FIRST ? ((FIRST + 77) as never) : player),
    });
    expect(wrong).toMatchObject({
      check: 'inputs',
      what: expect.stringContaining('a player without an entry'),
    });
  });

  test('3: dropped inputs leave a gap, and the player can show it', async () => {
    const pass: Operator['pass'] = (command, tick) =>
      command.type === 'split' && command.player === FIRST && tick > 500 ? undefined : command;
    const { wrong, notes, open } = await play({ pass }, 1);
    expect(wrong).toBeUndefined();
    expect(notes.join()).toContain('nothing that Player 1 signed confirms 15 s to 1 min 10 s');
    expect(open.join()).toContain('3 statements that you signed');
  });

  test('4: a player who is called disconnected and is not can show it', async () => {
    const pass: Operator['pass'] = (command, tick) =>
      command.type === 'eject' && command.player === FIRST && tick > 1_000
        ? { type: 'disconnect', player: FIRST as typeof command.player }
        : command;
    const { wrong, open } = await play({ pass }, 1);
    expect(wrong).toBeUndefined();
    expect(open.join()).toContain('2 statements that you signed: the recording has other inputs');
  });

  test('of a player who is out fit, although somebody else has the slot a moment later', async () => {
    const rules = { ...RULES, departure: { graceSeconds: 0.2 } };
    const LEAVES = 510;
    const leaving = moves.slice(0, 700).map((turn, index): Move[] => {
      if (index === LEAVES) return [{ what: 'disconnect', who: 1, x: 0, y: 0 }];
      if (index === LEAVES + 8) return [{ what: 'join', stake: 700n }];
      return index > LEAVES && index < LEAVES + 8 ? turn.slice(0, 1) : turn;
    });
    const pages = signingPlayers();
    const { match, recording, chain } = playMatch({ seed: 4, moves: leaving }, { rules, pages });
    expect(match.entries.map(({ outcome }) => outcome)).toEqual(['closed', 'forfeit', 'closed']);
    const statements = pages.kept.get(2);
    expect(statements).toHaveLength(2);
    const { id: matchId, commitment } = match;
    const kept = { matchId, commitment, receipts: [], statements };
    expect(await verifyMatch(match, recording, chain, undefined, kept)).toMatchObject({ open: [] });
  });

  test('that the operator leaves out are a gap, and the player has them', async () => {
    const { wrong, notes, open } = await play({ keeps: () => false }, 1);
    expect({ wrong, open }).toEqual({ wrong: undefined, open: [] });
    expect(notes.join()).toMatch(/0 % of Player 1's/);
    expect(notes.join()).toContain('nothing that Player 1 signed confirms 0 s to 1 min 10 s');
    expect(notes.join()).toContain('4 statements that you signed and that fit are not in it');
  });

  test('of a payment that names no key are wrong, and without them nothing is said', async () => {
    const pages = signingPlayers();
    const { match, recording, chain } = playMatch({ seed: 4, moves }, { rules: RULES, pages });
    const joins = new Map(
      [...chain.joins].map(([name, seen]) => [
        name,
        { ...seen, payments: seen.payments.map((payment) => ({ ...payment, inputsKey: undefined })) },
      ]),
    );
    const { wrong } = await verifyMatch(match, recording, { ...chain, joins });
    expect(wrong).toMatchObject({ check: 'inputs', what: expect.stringContaining('does not name') });
    const plain = playMatch({ seed: 4, moves }, { rules: RULES });
    const verdict = await verifyMatch(plain.match, plain.recording, plain.chain);
    expect(verdict).toMatchObject({ isRight: true, line: expect.stringContaining('no player has signed') });
  });

  test('cannot be checked by a browser that does not know such signatures, and are not called wrong there', async () => {
    vi.spyOn(crypto.subtle, 'generateKey').mockRejectedValue(new Error('NotSupportedError'));
    const { isRight, wrong, open } = await play();
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    expect(open.join()).toContain('cannot check what players have signed');
  });

  test('take little room', () => {
    const plain = playMatch({ seed: 4, moves }, { rules: RULES });
    const signed = playMatch({ seed: 4, moves }, { rules: RULES, pages: signingPlayers() });
    const perStatement = (signed.recording.length - plain.recording.length) / 8;
    expect(perStatement).toBeLessThan(90);
  });
});
