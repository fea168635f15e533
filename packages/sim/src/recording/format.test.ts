import type { Result } from '@engulf/domain/errors/result';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberedKey } from '../keys.ts';
import type { PlayerId } from '../players.ts';
import { POINTER_STEP } from '../pointer.ts';
import { type Rules, rulesBeforeBeacons, standardRules } from '../rules.ts';
import type { RecordedCommand } from './command-bytes.ts';
import {
  FIRST_LINK,
  MAX_BODY_BYTES,
  RECORDING_VERSION,
  readEnd,
  readFrame,
  writeEnd,
  writeFrame,
} from './frames.ts';
import { NO_BOND, type RecordingHeader, readHeader, rulesText, writeHeader } from './header.ts';
import { readSegment, type Segment, writeSegment } from './segment.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const player = fc.maxSafeNat().map((id) => id as PlayerId);
const isA = <Type extends string>(...types: Type[]) => fc.constantFrom(...types);

const command: fc.Arbitrary<RecordedCommand> = fc.oneof(
  fc.record({ type: isA('join'), stake: u64 }),
  fc.record({ type: isA('join'), stake: u64, entry: fc.uuid().map((id) => id as EntryId) }),
  fc.record({ type: isA('split', 'eject', 'disconnect', 'reconnect', 'testMass'), player }),
  fc.record({ type: isA('setPopulation'), count: fc.nat() }),
  fc.record({ type: isA('close'), inSeconds: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ type: isA('pledge'), wave: fc.nat(), newest: u64, decides: u64 }),
  fc.record({ type: isA('beacon'), wave: fc.nat(), slot: u64, blockhash: bytes32 }),
  fc.record({ type: isA('end'), reason: isA('closed', 'fault') }),
);

const offset = fc.integer({ min: -5_000, max: 5_000 }).map((steps) => steps * POINTER_STEP);

const segment: fc.Arbitrary<Segment> = fc.nat(2_000).chain((tickCount) => {
  const time = fc.nat(tickCount);
  const point = fc.record({ after: fc.nat(Math.max(0, tickCount - 1)), x: offset, y: offset });
  const points = fc.uniqueArray(point, {
    selector: ({ after }) => after,
    maxLength: tickCount === 0 ? 0 : 60,
  });
  return fc.record({
    startTick: fc.nat(),
    tickCount: fc.constant(tickCount),
    keyframe: fc.option(fc.uint8Array({ maxLength: 400 }), { nil: undefined }),
    commands: fc
      .array(fc.record({ after: time, command }), { maxLength: 30 })
      .map((commands) => commands.sort((a, b) => a.after - b.after)),
    tracks: fc.array(
      fc.record({ player, points }).map((track) => {
        const inOrder = track.points.toSorted((a, b) => a.after - b.after);
        return {
          player: track.player,
          after: inOrder.map(({ after }) => after),
          x: inOrder.map(({ x }) => x),
          y: inOrder.map(({ y }) => y),
        };
      }),
      { maxLength: 8 },
    ),
    marks: fc.uint16Array({ minLength: tickCount, maxLength: tickCount }),
    stateHash: bytes32,
  });
});

const header: fc.Arbitrary<RecordingHeader> = fc.record({
  matchId: fc.uuid(),
  commitment: bytes32,
  publicPart: fc.option(fc.record({ slot: u64, blockhash: bytes32 })),
  spill: u64,
  rules: fc.constant(standardRules),
  bond: fc.record({
    release: fc.string({ maxLength: 64, unit: 'grapheme-ascii' }),
    receiptKey: fc.option(bytes32),
    anchor: fc.option(
      fc.record({
        signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
        previous: bytes32,
      }),
    ),
  }),
});

const readOldHeader = (body: Uint8Array) => readHeader(body, 3);
const readNewHeader = (body: Uint8Array) => readHeader(body, RECORDING_VERSION);

function contentOf<Value>(result: Result<Value, { problem: string; position: number }>): Value {
  if (!result.ok) throw new Error(`${result.error.problem} at ${result.error.position}`);
  return result.value;
}

describe('the recording format', () => {
  test('reads back every segment it writes', () => {
    fc.assert(
      fc.property(segment, (original) => {
        expect(contentOf(readSegment(writeSegment(original)))).toEqual(original);
      }),
    );
  });

  test('reads back every header and end it writes', () => {
    fc.assert(
      fc.property(header, fc.maxSafeNat(), fc.boolean(), (original, finalTick, isCut) => {
        const read = contentOf(readHeader(writeHeader(original), RECORDING_VERSION));
        expect(read).toEqual({ ...original, rulesText: rulesText(original.rules) });
        expect(contentOf(readEnd(writeEnd({ finalTick, isCut })))).toEqual({ finalTick, isCut });
      }),
    );
  });

  test('writes headers of versions 4 and 5 as those versions had them', () => {
    fc.assert(
      fc.property(header, (original) => {
        const { beacons: _beacons, epochs: _epochs, ...ofFive } = original.rules;
        const { newcomers: _newcomers, ...ofFour } = ofFive;
        const rules = { ...original.rules, ...rulesBeforeBeacons };
        for (const [version, known, bond] of [
          [4, ofFour, NO_BOND],
          [5, ofFive, original.bond],
        ] as const) {
          const text = rulesText(known as Rules);
          const written = writeHeader(original, text, version);
          const read = contentOf(readHeader(written, version));
          expect(read).toEqual({ ...original, rules, bond, rulesText: text });
          expect(readHeader(written, RECORDING_VERSION)).toMatchObject({ ok: false });
        }
      }),
    );
  });

  test('refuses a segment that is cut short anywhere, and says where', () => {
    fc.assert(
      fc.property(segment, fc.nat(), (original, at) => {
        const bytes = writeSegment(original);
        const cut = readSegment(bytes.subarray(0, at % bytes.length));
        expect(cut).toMatchObject({ ok: false, error: { position: expect.any(Number) } });
      }),
    );
  });

  test('never throws, and its memory use is bounded by the input, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const read of [readSegment, readOldHeader, readNewHeader, readEnd]) {
          const result = read(bytes);
          if (!result.ok) expect(result.error.position).toBeLessThanOrEqual(bytes.length);
        }
        readFrame(bytes, 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('survives a changed byte in a segment', () => {
    fc.assert(
      fc.property(segment, fc.nat(), fc.integer({ min: 1, max: 255 }), (original, at, change) => {
        const bytes = writeSegment(original);
        bytes[at % bytes.length]! ^= change;
        const read = readSegment(bytes);
        if (read.ok) expect(writeSegment(read.value).length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['a huge count of commands', [0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f], 'a count is too large'],
    ['a huge keyframe', [0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x7f], 'cut short'],
    ['a number without end', Array<number>(40).fill(0xff), 'a number is too large'],
    ['an unknown flag', [0, 0, 7, 0, 0], 'an unknown flag'],
    ['an unknown command', [0, 5, 0, 1, 0, 99, 0, 0], 'an unknown command'],
    ['a command after the end', [0, 5, 0, 1, 6, 1, 0, 0], 'a time after the end of the segment'],
    ['a pointer after the last step', [0, 5, 0, 0, 1, 1, 1, 5, 0, 0], 'a time after the end of the segment'],
  ])('refuses %s', (_name, bytes, problem) => {
    expect(readSegment(Uint8Array.from(bytes))).toMatchObject({ ok: false, error: { problem } });
  });

  test('refuses rules that no arena has', () => {
    const original = { matchId: 'a', commitment: numberedKey(1), publicPart: null, spill: 0n, bond: NO_BOND };
    for (const rules of [
      { ...standardRules, worldSize: 1e9 },
      { ...standardRules, stepsPerSecond: 0 },
      { ...standardRules, maxPlayers: 1e6 },
      { ...standardRules, spawn: { ...standardRules.spawn, candidatePoints: 1e15 } },
      { ...standardRules, portals: { ...standardRules.portals, minCount: 1e15 } },
      { ...standardRules, viruses: { ...standardRules.viruses, count: 1e15 } },
      { ...standardRules, cells: { ...standardRules.cells, maxMass: 1e18 } },
      { ...standardRules, size: { factor: 12, eighths: 3.5 } },
      { ...standardRules, extra: 1 },
    ]) {
      expect(readNewHeader(writeHeader({ ...original, rules }))).toMatchObject({ ok: false });
    }
  });
});

describe('a frame', () => {
  const frameOf = (body: Uint8Array) =>
    writeFrame({ kind: 'segment', packing: 'plain', bodyLength: body.length, packed: body }, FIRST_LINK);

  test('is read back, and every changed bit is found', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), (body, bit) => {
        const { bytes, link } = frameOf(body);
        const { frame, next } = contentOf(readFrame(bytes, 0));
        expect([frame.packed, frame.chain, next]).toEqual([body, link.chain, bytes.length]);
        bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7);
        expect(readFrame(bytes, 0).ok).toBe(false);
      }),
    );
  });

  test('is refused after another frame than its own predecessor', () => {
    const { bytes } = frameOf(new Uint8Array(3));
    expect(readFrame(bytes, 0, { ...FIRST_LINK, chain: numberedKey(1) })).toMatchObject({ ok: false });
    expect(readFrame(bytes, 0, { ...FIRST_LINK, version: 3 })).toEqual({
      ok: false,
      error: { problem: `version ${RECORDING_VERSION} in a recording of version 3`, position: 0 },
    });
  });

  test('that announces too large a size is refused before anything is unpacked', () => {
    const { bytes } = writeFrame(
      { kind: 'segment', packing: 'deflate', bodyLength: MAX_BODY_BYTES + 1, packed: new Uint8Array(5) },
      FIRST_LINK,
    );
    expect(readFrame(bytes, 0)).toEqual({
      ok: false,
      error: { problem: 'a frame is too large', position: 0 },
    });
  });
});
