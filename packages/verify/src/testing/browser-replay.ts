import { createWorld } from '@engulf/sim/create-world';
import { keysOfRecording, numberedKey, toHex } from '@engulf/sim/keys';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { standardRules } from '@engulf/sim/rules';
import { recordMatch } from '@engulf/sim/testing/recorded-match';
import { openRecording } from '../open-recording.ts';
import { replayMatch } from '../replay-match.ts';

/* Bundled into a page by the browser tests, and run in Node beside it. */

/** What a recording replays to, as a text that two engines can be compared by. */
export async function replayText(base64: string, secret: readonly number[]): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const opened = await openRecording(bytes);
  if (!opened.ok) return `${opened.error.problem} at byte ${opened.error.position}`;
  const ticks: number[] = [];
  const key = keysOfRecording(opened.value.header, Uint8Array.from(secret));
  const replayed = await replayMatch(opened.value, key, (tick) => ticks.push(tick));
  const hashes: string[] = [];
  for (let index = 0; index < opened.value.segmentCount; index++) {
    const segment = await opened.value.segment(index);
    if (segment.ok) hashes.push(toHex(segment.value.stateHash));
  }
  const finalHash = toHex(opened.value.finalHash);
  return JSON.stringify({ replayed: { ...replayed }, ticks, hashes, finalHash }, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value] : value;
  });
}

/** How many times faster than real time a match of 24 bots and a few people is played again and checked here. */
export function replaySpeed(steps: number): number {
  const seed = 17;
  const { segments } = recordMatch(seed, steps);
  const startedMs = performance.now();
  const world = createWorld({ key: numberedKey(seed) });
  for (const body of segments) {
    const segment = readSegment(body);
    const difference = segment.ok ? replaySegment(world, segment.value) : segment.error;
    if (difference) throw new Error(JSON.stringify(difference));
  }
  return (steps / standardRules.stepsPerSecond) * (1000 / (performance.now() - startedMs));
}
