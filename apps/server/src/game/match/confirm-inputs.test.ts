import { generateKeyPairSync, sign } from 'node:crypto';
import { numberedKey } from '@engulf/sim/keys';
import { hashLogged, watchInputs } from '@engulf/sim/recording/input-log';
import { seenBytes, statementBytes } from '@engulf/sim/recording/input-statement';
import { applyRecorded, startRecordedMatch, stepRecorded } from '@engulf/sim/recording/recorder';
import { standardRules } from '@engulf/sim/rules';
import { expect, test, vi } from 'vitest';
import { confirmInputs } from './confirm-inputs.ts';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const inputsKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('hex');
const commitment = numberedKey(7);

function startMatch(steps: number) {
  const recorded = startRecordedMatch({ key: numberedKey(3), rules: standardRules, spill: 0n }, () => {});
  const joined = applyRecorded(recorded, { type: 'join', stake: 1n });
  if (!joined.ok) throw new Error('nobody could join');
  const player = joined.player!;
  watchInputs(recorded.inputs, recorded.world, player);
  for (let count = 0; count < steps; count++) stepRecorded(recorded);
  const refuse = vi.fn();
  const participant = {
    player,
    seat: { inputsKey },
    connection: { refuse },
    confirmedToTick: 0,
    confirming: Promise.resolve(),
  } as unknown as Participant;
  const match = { recorded, world: recorded.world, commitment } as unknown as Match;
  /** Statements that are in the recording so far. */
  const count = () => recorded.open.commands.filter(({ command }) => command.type === 'inputs').length;
  const confirm = (from: number, to: number) => {
    const seen = new Uint8Array(seenBytes(from, to)).fill(255);
    const claim = { player, from, to, seen, delayTicks: 1 };
    const signature = sign(
      null,
      statementBytes(commitment, claim, hashLogged(recorded.inputs, claim)!),
      privateKey,
    );
    const hex = { seen: Buffer.from(seen).toString('hex'), signature: signature.toString('hex') };
    return confirmInputs(match, participant, { from, to, delayTicks: 1, ...hex });
  };
  return { recorded, refuse, count, confirm };
}

test('is not recorded if what it speaks of was forgotten while the signature was checked', async () => {
  const { recorded, refuse, count, confirm } = startMatch(2_100);
  const oldest = recorded.world.clock.tick - 2_047;
  const confirming = confirm(oldest, oldest + 504);
  // Until the signature is with the other thread.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  stepRecorded(recorded);
  await confirming;
  expect(refuse).toHaveBeenCalledOnce();
  expect(count()).toBe(0);
  await confirm(oldest + 1, oldest + 505);
  expect(count()).toBe(1);
});

test('statements that arrive together are recorded in turn, and each part of a game once', async () => {
  const { refuse, count, confirm } = startMatch(1_200);
  await Promise.all([confirm(100, 500), confirm(500, 900), confirm(600, 1_000)]);
  expect(refuse).toHaveBeenCalledOnce();
  expect(count()).toBe(2);
});
