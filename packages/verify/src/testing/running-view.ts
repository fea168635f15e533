import type { PublicMatch } from '@engulf/protocol/http/matches';
import { epochAt } from '@engulf/sim/epochs';
import { keysOfRecording, recogniseSecret, secretOf, toHex } from '@engulf/sim/keys';
import { readFrame } from '@engulf/sim/recording/frames';
import { deriveEpochTicks } from '@engulf/sim/rules';
import { openRecording } from '../open-recording.ts';
import { replayMatch } from '../replay-match.ts';
import type { Evidence } from './played-match.ts';

/** What was public of a match while it ran, when so many of its epochs were over and old enough; all, if not said. */
export async function whileItRan(
  { match, recording, chain }: Evidence,
  epochs?: number,
): Promise<Evidence & { readonly match: PublicMatch & { published: object } }> {
  const whole = await opened(recording, false);
  const { header, segmentCount } = whole;
  const epochTicks = deriveEpochTicks(header.rules);
  const tick = epochTicks * (epochs ?? Math.floor(whole.end.finalTick / epochTicks));
  let partCount = 1;
  for (; partCount <= segmentCount; partCount++) {
    const segment = await whole.segment(partCount - 1);
    if (!segment.ok || segment.value.startTick + segment.value.tickCount > tick) break;
  }
  const shown = recording.slice(0, endOfParts(recording, partCount));
  const secret = fromHex(match.secret!);
  const known = recogniseSecret(secret, header.commitment)!;
  const published = {
    tick,
    recordingBytes: shown.length,
    hash: toHex(whole.chains[partCount - 1]!),
    secret: toHex(secretOf(known, epochAt(header.rules, tick))),
  };
  const replayed = await replayMatch(await opened(shown, true), keysOfRecording(header, secret));
  if (replayed.kind !== 'replayed') throw new Error(JSON.stringify(replayed));
  const { entries } = replayed.match;
  const listed = match.entries
    .filter(({ id }) => entries.has(id))
    .map((entry) =>
      entries.get(entry.id)!.outcome ? entry : { ...entry, outcome: null, amount: null, payout: null },
    );
  return {
    match: {
      ...match,
      state: 'running',
      endedAt: null,
      secret: null,
      finalTick: null,
      finalHash: null,
      isCut: null,
      recordingBytes: null,
      spillAfter: null,
      published,
      entryCount: listed.length,
      entries: listed,
    },
    recording: shown,
    chain: { ...chain, anchors: chain.anchors && { ...chain.anchors, listed: openEnd(match, chain) } },
  };
}

/** Its end is not on the chain. */
function openEnd({ commitment }: PublicMatch, { anchors }: Evidence['chain']) {
  return anchors?.listed?.filter(({ memo }) => memo.kind !== 'close' || memo.commitment !== commitment);
}

async function opened(bytes: Uint8Array, isRunning: boolean) {
  const recording = await openRecording(bytes, { isRunning });
  if (!recording.ok) throw new Error(recording.error.problem);
  return recording.value;
}

function endOfParts(bytes: Uint8Array, count: number): number {
  let at = 0;
  let previous: Parameters<typeof readFrame>[2];
  for (let index = 0; index < count; index++) {
    const read = readFrame(bytes, at, previous);
    if (!read.ok) throw new Error(read.error.problem);
    previous = read.value.frame;
    at = read.value.next;
  }
  return at;
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
