import { hasBeacons } from '@engulf/sim/beacons';
import type { PublicPart } from '@engulf/sim/keys';
import type { Segment } from '@engulf/sim/recording/segment';
import type { OpenedRecording } from './open-recording.ts';

/** A wave of portals whose block was named. */
export type Wave = {
  readonly number: number;
  /** When it was named. */
  readonly tick: number;
  readonly decides: bigint;
  /** Undefined if it did not come in time. */
  block: (PublicPart & { readonly tick: number }) | undefined;
};

/** Adds what a segment says about waves. Whether it may say so is for the replay to find out. */
export function noteWaves(waves: Wave[], { startTick, commands }: Segment): void {
  for (const { after, command } of commands) {
    if (command.type === 'pledge') {
      const { wave: number, decides } = command;
      waves.push({ number, tick: startTick + after, decides, block: undefined });
    } else if (command.type === 'beacon') {
      const wave = waves.findLast(({ number }) => number === command.wave);
      const { slot, blockhash } = command;
      if (wave) wave.block = { slot, blockhash, tick: startTick + after };
    }
  }
}

/** The waves of a recording that has not been played. */
export async function wavesOf({ header, segmentCount, segment }: OpenedRecording): Promise<Wave[]> {
  const waves: Wave[] = [];
  if (!hasBeacons(header.rules)) return waves;
  for (let index = 0; index < segmentCount; index++) {
    const read = await segment(index);
    if (read.ok) noteWaves(waves, read.value);
  }
  return waves;
}
