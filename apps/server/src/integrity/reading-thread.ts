import { parentPort, workerData } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { MatchEvidence } from '@engulf/integrity/evidence';
import { type Bookmark, readEvidence } from '@engulf/integrity/read-recording';
import { keysOfRecording, toHex } from '@engulf/sim/keys';
import type { ChainLink } from '@engulf/sim/recording/frames';
import { openRecording } from '@engulf/verify/open-recording';

/*
 * Plays a part of a recording again, in a thread of its own: matches may step on the main thread. The other side is
 * read-match.ts.
 */

export type ReadingRequest = {
  /** The header, and the frames after those that have been read. */
  readonly recording: Uint8Array;
  /** There will be more. */
  readonly isRunning: boolean;
  /** As published. */
  readonly secret: Uint8Array;
  /** Who plays which entry. */
  readonly accounts: ReadonlyMap<string, string>;
  /** From the part before; null at the start. */
  readonly carry: string | null;
};

export type ReadPart =
  | { readonly ok: true; readonly evidence: MatchEvidence; readonly carry: string }
  | { readonly ok: false; readonly problem: string };

/** Rests as long as it works, at least: whoever plays on this machine comes first. */
const WORK_SHARE = 0.5;

async function read({ recording, isRunning, secret, accounts, carry }: ReadingRequest): Promise<ReadPart> {
  const from = carry === null ? undefined : unpackCarry(carry);
  const opened = await openRecording(recording, { isRunning, link: from?.link });
  if (!opened.ok) return { ok: false, problem: opened.error.problem };
  let beganMs = performance.now();
  const result = await readEvidence(opened.value, keysOfRecording(opened.value.header, secret), {
    accountOf: (entry) => accounts.get(entry),
    from: from?.bookmark,
    pause: async () => {
      const workedMs = performance.now() - beganMs;
      await new Promise((resolve) => setTimeout(resolve, workedMs * (1 / WORK_SHARE - 1)));
      beganMs = performance.now();
    },
  });
  if (!result.ok) return result;
  const { evidence, bookmark } = result;
  return { ok: true, evidence, carry: packCarry(opened.value.link, bookmark) };
}

function packCarry({ version, chain }: ChainLink, { world, present }: Bookmark): string {
  const packed = { version, chain: toHex(chain), present, world: Buffer.from(world).toString('base64') };
  return deflateRawSync(JSON.stringify(packed)).toString('base64');
}

function unpackCarry(carry: string): { readonly link: ChainLink; readonly bookmark: Bookmark } {
  const { version, chain, present, world } = JSON.parse(
    inflateRawSync(Buffer.from(carry, 'base64')).toString(),
  ) as { version: number; chain: string; present: Bookmark['present']; world: string };
  return {
    link: { version, chain: Buffer.from(chain, 'hex') },
    bookmark: { present, world: Buffer.from(world, 'base64') },
  };
}

parentPort!.postMessage(await read(workerData as ReadingRequest));
