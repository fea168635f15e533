import { join } from 'node:path';
import { createWorld } from '@engulf/sim/create-world';
import { epochAt } from '@engulf/sim/epochs';
import {
  commitmentOf,
  keysUpTo,
  lastSecret,
  matchKeyOf,
  numberedKey,
  secretOf,
  streamKeyOf,
  toHex,
  waveKeyOf,
} from '@engulf/sim/keys';
import { createRandom, randomBelow, randomBetween, randomDirection } from '@engulf/sim/random';
import { createWriter, writeSigned, writeText, writeVar, writtenBytes } from '@engulf/sim/recording/bytes';
import { firstLink, KNOWN_VERSIONS, RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { rulesText } from '@engulf/sim/recording/header';
import { tickMark } from '@engulf/sim/recording/tick-mark';
import { standardRules } from '@engulf/sim/rules';
import { hashState, saveWorld } from '@engulf/sim/snapshot';
import { step } from '@engulf/sim/step';
import { anchors, receipt } from './anchor-vectors.ts';
import { freeMatch } from './free-vectors.ts';
import { inputs } from './input-vectors.ts';
import { recordingOf } from './recording-vectors.ts';

export const VECTORS_FILE = join(import.meta.dirname, '../../../../docs/recording-format/vectors.json');

/** Examples for docs/recording-format.md, computed by the code that it describes. */
export async function formatVectors(): Promise<object> {
  return {
    basicTypes: basicTypes(),
    keys: keys(),
    epochs: epochs(),
    streams: streams(),
    firstChain: KNOWN_VERSIONS.map((version) => ({ version, chain: toHex(firstLink(version).chain) })),
    world: world(),
    freeMatch: freeMatch(),
    anchors: anchors(),
    receipt: receipt(),
    inputs: inputs(),
    recordings: await Promise.all(KNOWN_VERSIONS.map(recordingOf)),
  };
}

export function vectorsText(vectors: object): string {
  const text = JSON.stringify(
    vectors,
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
    1,
  );
  return `${text}\n`;
}

function basicTypes() {
  const written = (write: (writer: ReturnType<typeof createWriter>) => void) => {
    const writer = createWriter();
    write(writer);
    return toHex(writtenBytes(writer));
  };
  const numbers = [0, 1, 127, 128, 300, 65_536, 2 ** 53 - 1];
  const differences = [0, -1, 1, -2, 2, -500, 12_345];
  return {
    var: numbers.map((value) => ({ value, bytes: written((writer) => writeVar(writer, value)) })),
    signed: differences.map((value) => ({ value, bytes: written((writer) => writeSigned(writer, value)) })),
    text: { value: 'abc', bytes: written((writer) => writeText(writer, 'abc')) },
  };
}

const SECRET = numberedKey(1);
const BLOCK = { slot: 123_456_789n, blockhash: numberedKey(2) };

function keys() {
  const key = matchKeyOf(SECRET, BLOCK);
  const purposes = ['food', 'viruses', 'spawns', 'scatter', 'portals', 'bots'];
  return {
    secret: toHex(SECRET),
    commitment: toHex(commitmentOf(SECRET)),
    slot: BLOCK.slot.toString(),
    blockhash: toHex(BLOCK.blockhash),
    matchKey: toHex(key),
    matchKeyWithoutBlock: toHex(matchKeyOf(SECRET, null)),
    wave: wave(streamKeyOf(key, 'portals')),
    streams: Object.fromEntries(purposes.map((purpose) => [purpose, toHex(streamKeyOf(key, purpose))])),
  };
}

/** The secrets of a match that was drawn as `last`, and the numbers of a stream before and after the end of an epoch. */
function epochs() {
  const known = lastSecret(SECRET);
  const keyOf = keysUpTo(known, BLOCK);
  const chosen = [known.epoch, known.epoch - 1, 3, 2, 1, 0];
  const positions = Float64Array.of(1_000);
  const [before, after] = [0, 1].map((epoch) => createRandom(streamKeyOf(keyOf(epoch), 'food'), positions));
  const three = (random: typeof before) => [0, 1, 2].map(() => randomBelow(random!, 7_000));
  return {
    secrets: chosen.map((epoch) => ({ epoch, secret: toHex(secretOf(known, epoch)) })),
    commitment: toHex(commitmentOf(secretOf(known, 0))),
    slot: BLOCK.slot.toString(),
    blockhash: toHex(BLOCK.blockhash),
    keys: [0, 1, 2].map((epoch) => ({ epoch, key: toHex(keyOf(epoch)) })),
    epochOfTick: [0, 1, 15_000, 15_001, 30_000, 30_001, 10_000_000].map((tick) => ({
      tick,
      epoch: epochAt(standardRules, tick),
    })),
    foodBelow7000: { fromPosition: 1_000, ofEpoch0: three(before), thenOfEpoch1: three(after) },
  };
}

function wave(portalsKey: Uint8Array) {
  const [number, slot, blockhash] = [3, 987_654_321n, numberedKey(3)];
  const key = toHex(waveKeyOf(portalsKey, number, { slot, blockhash }));
  return { wave: number, slot: slot.toString(), blockhash: toHex(blockhash), key };
}

function streams() {
  const key = streamKeyOf(matchKeyOf(SECRET, BLOCK), 'food');
  const ten = <Value>(draw: () => Value) => Array.from({ length: 10 }, draw);
  const [below, between, directed] = [createRandom(key), createRandom(key), createRandom(key)];
  return {
    key: toHex(key),
    below7000: ten(() => randomBelow(below, 7_000)),
    betweenMinus1And1: ten(() => randomBetween(between, -1, 1)),
    directions: ten(() => [...randomDirection(directed)]),
    positionAfterDirections: directed.positions[0],
  };
}

/** Nobody plays: what the streams alone decide, up to the second wave of portals. */
function world() {
  const arena = createWorld({ key: matchKeyOf(SECRET, BLOCK), spill: 5n });
  const saved = saveWorld(arena);
  const start = {
    bytes: saved.length,
    stateHash: toHex(hashState(saved)),
    food: arena.food.count,
    viruses: Array.from({ length: arena.bodies.virusCount }, (_, i) => [
      arena.bodies.x[i],
      arena.bodies.y[i],
    ]),
    streamPositions: [...arena.random.positions],
  };
  const waves: object[] = [];
  const marks: number[] = [];
  for (let wave = arena.portals.wave; waves.length < 2; ) {
    step(arena);
    if (marks.length < 10) marks.push(tickMark(arena));
    if (arena.portals.wave === wave) continue;
    wave = arena.portals.wave;
    const { portals, clock, random } = arena;
    const places = Array.from({ length: portals.count }, (_, i) => [portals.x[i], portals.y[i]]);
    waves.push({ tick: clock.tick, places, position: random.positions[4] });
  }
  const about = { version: RECORDING_VERSION, key: toHex(matchKeyOf(SECRET, BLOCK)), spill: '5' };
  return { ...about, rules: rulesText(standardRules), start, marks, waves };
}
