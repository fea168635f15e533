import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from '@engulf/sim/keys';
import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { hasTide } from '@engulf/sim/tide';
import { describe, expect, test } from 'vitest';
import { type OpenedRecording, openRecording } from './open-recording.ts';
import { replayMatch } from './replay-match.ts';
import { goldenKey, recordGoldenMatch } from './testing/golden-match.ts';

/** What the release that wrote a recording computed: the state after its last step, and the hash of all its bytes. */
const RELEASED = [
  {
    version: 3,
    state: 'f8dbaaded4d7eb00d5e5adb2174d10e227a0f1d709b9888173de2b1a719383b0',
    recording: '6f69e05938c8b0a53144c1ad8c94599347ca0286a04ac4bb503b59c53dc9ffe8',
  },
  {
    version: 4,
    state: '102b71b7e9448303a29f1a6f63d3d5e2d62314777581e8f29df0647422b93289',
    recording: '1209d82ad3d9abdc91f058ffc5f802e098f83b76f48bcb96b145601d9ecfbe9d',
  },
  {
    version: 5,
    state: 'a4ab348c548f8e14fc6d5bdd4e77205af8ee5b67a751c1330e0d2dd1c6007ce5',
    recording: 'f861f6d9dbb6de622b937710c6e3966c48e38277e07acf53d3393d47843cb97f',
  },
  {
    version: 6,
    state: '06309c95211f9e2090cad2e85e40609d3d1de8985e3cdd6184763a15d881d1ab',
    recording: '193471cd84ebca1e4e7dbb1b1ee118d43f8d2ce11792288d9f3c065470cfffef',
  },
] as const;

function golden(version: number): Uint8Array {
  return readFileSync(join(import.meta.dirname, `testing/golden/version-${version}.recording`));
}

async function opened(bytes: Uint8Array): Promise<OpenedRecording> {
  const recording = await openRecording(bytes);
  if (!recording.ok) throw new Error(recording.error.problem);
  return recording.value;
}

describe('the golden recording', () => {
  test.each(RELEASED)('of version $version is played to the same hashes', async (released) => {
    const recording = await opened(golden(released.version));
    expect(toHex(recording.finalHash)).toBe(released.recording);
    const last = await recording.segment(recording.segmentCount - 1);
    expect(last.ok && toHex(last.value.stateHash)).toBe(released.state);
    // Compares the state after every step, and its hash after every segment.
    expect(await replayMatch(recording, goldenKey(released.version))).toMatchObject({
      kind: 'replayed',
      match: { isEnded: true, finalTick: 1_800 },
    });
  });

  test('of version 3 is played without a tide, and the rules that it publishes are those in its bytes', async () => {
    const { header } = await opened(golden(3));
    expect(hasTide(header.rules)).toBe(false);
    expect(header.rules.size).toEqual({ factor: 10, eighths: 4 });
    expect(header.rulesText).not.toContain('tide');
  });

  test('of this version is what this code records', () => {
    expect(Buffer.from(recordGoldenMatch()).equals(golden(RECORDING_VERSION))).toBe(true);
  });
});
