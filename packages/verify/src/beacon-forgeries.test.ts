import { keysOfRecording, numberedKey } from '@engulf/sim/keys';
import type { RecordedCommand } from '@engulf/sim/recording/command-bytes';
import { readSegment, writeSegment } from '@engulf/sim/recording/segment';
import { type Rules, rulesBeforeBeacons } from '@engulf/sim/rules';
import { crowdedRules } from '@engulf/sim/testing/arena-builder';
import { describe, expect, test } from 'vitest';
import { isSeen } from './chain-facts.ts';
import { checkPortals } from './check-portals.ts';
import { openRecording } from './open-recording.ts';
import { replayMatch } from './replay-match.ts';
import { change, verify } from './testing/live-match.ts';
import { type Evidence, playMatch, seal } from './testing/played-match.ts';
import { wavesOf } from './waves.ts';

/*
 * An operator who wants to know, or to choose, where portals open, in spite of the blocks that place them: number 25 of the table in
 * docs/fairness.md.
 */

const join = { what: 'join' as const, stake: 1_000n };
const SECONDS = 25;
/** Two waves in the time, and nobody is eaten. */
const rules: Rules = {
  ...crowdedRules,
  spawn: { ...crowdedRules.spawn, invulnerableSeconds: 60 },
  portals: { ...crowdedRules.portals, idleSeconds: 10, radius: 1 },
};
const moves = [[join, join], ...Array.from({ length: SECONDS * 25 }, () => [])];
const evidence = playMatch({ seed: 5, moves }, { rules });
const opened = await openRecording(evidence.recording);
if (!opened.ok) throw new Error(opened.error.problem);
const original = opened.value;
const waves = await wavesOf(original);

/** Changes the commands of a recording afterwards, and hides what the chain was told of it. */
function rewrite(edit: (command: RecordedCommand) => RecordedCommand | undefined): Evidence {
  const parts = evidence.parts.map((part) => {
    if (part.kind !== 'segment') return part;
    const segment = readSegment(part.body);
    if (!segment.ok) throw new Error(segment.error.problem);
    const commands = segment.value.commands.flatMap(({ after, command }) => {
      const changed = edit(command);
      return changed ? [{ after, command: changed }] : [];
    });
    return { ...part, body: writeSegment({ ...segment.value, commands }) };
  });
  const { recording, finalHash } = seal(parts);
  return { ...change(evidence, (match) => Object.assign(match, { finalHash })), recording };
}

describe('the portals of a match for money', () => {
  test('fit if blocks have placed them that did not exist when they were named', async () => {
    const { isRight, line } = await verify(evidence);
    expect(isRight).toBe(true);
    expect(line).toContain('2 waves of portals came from blocks');
    expect(waves).toHaveLength(2);
  });

  test.each([
    ['its wave', 10, expect.objectContaining({ tick: expect.any(Number) })],
    ['the block', 30, undefined],
  ])('fit up to a kill between the naming of a block and %s', async (_, idleSeconds, block) => {
    const slow = { ...rules, portals: { ...rules.portals, idleSeconds } };
    const killed = playMatch({ seed: 5, moves: moves.slice(0, 5 * 25 + 10) }, { rules: slow, isCut: true });
    const { wrong, line } = await verify(killed);
    expect(wrong).toBeUndefined();
    expect(line).toContain('0 waves of portals');
    const read = await openRecording(killed.recording);
    expect(read.ok && (await wavesOf(read.value))).toMatchObject([{ number: 1, block }]);
  });

  test('are wrong if the chain has another block there', async () => {
    const beacons = new Map(evidence.chain.beacons);
    const { slot } = waves[1]!.block!;
    beacons.set(slot, { ...beacons.get(slot)!, blockhash: 'chosen' });
    const { wrong } = await verify({ ...evidence, chain: { ...evidence.chain, beacons } });
    expect(wrong).toMatchObject({ check: 'portals', what: expect.stringContaining('wave 2') });
  });

  test('are wrong if an earlier block was the one to take', async () => {
    const beacons = new Map(evidence.chain.beacons);
    const { block, decides } = waves[1]!;
    beacons.set(block!.slot, { ...beacons.get(block!.slot)!, parentSlot: decides });
    const { wrong } = await verify({ ...evidence, chain: { ...evidence.chain, beacons } });
    expect(wrong?.what).toContain('is not the first from slot');
  });

  test('are open if the node does not show a block', async () => {
    const chain = { ...evidence.chain, beacons: new Map([...evidence.chain.beacons!].slice(1)) };
    const { isRight, wrong, open } = await verify({ ...evidence, chain });
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    expect(open).toEqual(['the node does not show 1 block of the portals']);
  });

  test('are wrong if the block was named when it was known: somebody had paid later and was in', async () => {
    const joins = new Map(
      [...evidence.chain.joins].map(([name, seen]) => [
        name,
        isSeen(seen) ? { ...seen, slot: waves[1]!.decides } : seen,
      ]),
    );
    const { wrong } = await verify({ ...evidence, chain: { ...evidence.chain, joins } });
    expect(wrong).toMatchObject({
      check: 'portals',
      what: expect.stringContaining('had passed when it was named'),
    });
  });

  test('are open if a block was old when it was taken, by the time that payments and steps have taken', async () => {
    const old = (ms: number) => {
      const blocks = [...evidence.chain.beacons!].map(
        ([slot, block]) => [slot, { ...block, timeMs: block.timeMs! - ms }] as const,
      );
      return verify({ ...evidence, chain: { ...evidence.chain, beacons: new Map(blocks) } });
    };
    expect((await old(14_000)).isRight).toBe(true);
    const { isRight, wrong, open } = await old(30_000);
    expect({ isRight, wrong }).toEqual({ isRight: false, wrong: undefined });
    expect(open.join()).toContain('the block of wave 2 was 30 s old when it was taken');
  });

  test('are open if most waves opened without a block, with their number', async () => {
    const blind = await verify(playMatch({ seed: 5, moves }, { rules, isBlind: true }));
    expect(blind).toMatchObject({ isRight: false, wrong: undefined });
    expect(blind.open.join()).toContain('2 waves of 2 opened without a block');
  });

  test('are wrong if a match for money has no blocks by its rules', async () => {
    const { wrong } = await verify(
      playMatch({ seed: 5, moves }, { rules: { ...rules, ...rulesBeforeBeacons } }),
    );
    expect(wrong).toMatchObject({ check: 'portals' });
  });

  test('are never right in a recording that is written as one of an older version, which had no blocks', async () => {
    const header = { ...original.header, rules: { ...rules, ...rulesBeforeBeacons }, rulesText: '{}' };
    const secret = Buffer.from(evidence.match.secret!, 'hex');
    const replayed = await replayMatch(original, keysOfRecording(original.header, secret));
    if (replayed.kind !== 'replayed') throw new Error(replayed.kind);
    const found = checkPortals(evidence.match, { ...original, header }, replayed.match, evidence.chain);
    expect(found).toMatchObject({ open: [expect.stringContaining('older version')] });
  });

  test.each<[string, (command: RecordedCommand) => RecordedCommand | undefined]>([
    ['another blockhash', (one) => (one.type === 'beacon' ? { ...one, blockhash: numberedKey(1) } : one)],
    ['a later slot', (one) => (one.type === 'beacon' ? { ...one, slot: one.slot + 1n } : one)],
    ['a slot before the named one', (one) => (one.type === 'beacon' ? { ...one, slot: one.slot - 9n } : one)],
    ['no block', (one) => (one.type === 'beacon' ? undefined : one)],
    ['another slot named', (one) => (one.type === 'pledge' ? { ...one, decides: one.decides + 1n } : one)],
    ['another newest slot', (one) => (one.type === 'pledge' ? { ...one, newest: one.newest - 1n } : one)],
    ['another wave', (one) => (one.type === 'beacon' ? { ...one, wave: one.wave + 1 } : one)],
  ])('do not fit a recording into which %s was written afterwards', async (_, edit) => {
    expect((await verify(rewrite(edit))).wrong).toMatchObject({ check: 'replay' });
  });
});
