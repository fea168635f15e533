import { deflateRawSync } from 'node:zlib';
import { readEvidence } from '@engulf/integrity/read-recording';
import { commitmentOf, numberedKey } from '@engulf/sim/keys';
import { FIRST_LINK, type FrameKind, writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { NO_BOND, writeHeader } from '@engulf/sim/recording/header';
import { standardRules } from '@engulf/sim/rules';
import { openRecording } from '@engulf/verify/open-recording';
import { castOf } from './cast.ts';
import { playWatched } from './play.ts';

const SEED = 77;
const PLAYERS = 100;
const SECONDS = 120;

/** What reading the recording of a full match takes, as a share of one core for as long as the match lasts. */
export async function measureReading(): Promise<number> {
  const seats = castOf(SEED, PLAYERS).honest.map((account) => ({ account, friends: [], isActive: false }));
  const { segments, names } = playWatched(SEED, seats, SECONDS);
  const bytes = packRecording(segments);
  let best = Infinity;
  for (let round = 0; round < 2; round++) {
    const startedUs = process.cpuUsage().user;
    const opened = await openRecording(bytes);
    if (!opened.ok) throw new Error(opened.error.problem);
    let next = 0;
    const read = await readEvidence(opened.value, numberedKey(SEED), {
      accountOf: () => names[next++],
    });
    if (!read.ok) throw new Error(read.problem);
    best = Math.min(best, process.cpuUsage().user - startedUs);
  }
  return Math.round((100 * 100 * best) / 1e6 / SECONDS / (PLAYERS / 100)) / 100;
}

/** As the server stores it. */
function packRecording(segments: readonly Uint8Array[]): Uint8Array {
  const header = writeHeader({
    matchId: 'bench',
    commitment: commitmentOf(numberedKey(SEED)),
    publicPart: null,
    spill: 0n,
    rules: standardRules,
    bond: NO_BOND,
  });
  const bodies: [FrameKind, Uint8Array][] = [
    ['header', header],
    ...segments.map((segment): [FrameKind, Uint8Array] => ['segment', segment]),
    ['end', writeEnd({ finalTick: SECONDS * standardRules.stepsPerSecond, isCut: false })],
  ];
  let link = FIRST_LINK;
  const frames = bodies.map(([kind, body]) => {
    const frame = writeFrame(
      { kind, packing: 'deflate', bodyLength: body.length, packed: deflateRawSync(body) },
      link,
    );
    link = frame.link;
    return frame.bytes;
  });
  return Buffer.concat(frames);
}
