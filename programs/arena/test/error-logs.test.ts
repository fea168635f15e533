import { readFileSync } from 'node:fs';
import { FailedTransactionMetadata } from 'litesvm';
import { beforeAll, expect, test } from 'vitest';
import { ARTIFACT } from './world/artifact.ts';
import { idl } from './world/idl-instruction.ts';
import { createLobby, join, type Lobby } from './world/lobby.ts';
import { expectOk, type Result } from './world/outcome.ts';
import { createWorld, SOL, type World } from './world/world.ts';

let world: World;
let lobby: Lobby;
beforeAll(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: SOL });
});

/** As in Anchor's TypeScript client, which finds the name of an error only by this line. */
const ANCHOR_LINE =
  /^Program log: AnchorError occurred\. Error Code: (.*)\. Error Number: (\d*)\. Error Message: (.*)\./;

function anchorErrorIn(result: Result): unknown[] | undefined {
  const logs = (result instanceof FailedTransactionMetadata ? result.meta() : result).logs();
  return logs
    .map((line) => ANCHOR_LINE.exec(line))
    .find((match) => match !== null)
    ?.slice(1);
}

test('a failed instruction logs its error the way Anchor does', async () => {
  expect(anchorErrorIn(await join(world, lobby, { expectedEntryFee: 1n }))).toEqual([
    'EntryFeeChanged',
    '6009',
    'Entry fee differs from the one the player agreed to.',
  ]);
  expect(anchorErrorIn(await join(world, lobby, { minStake: SOL }))).toEqual([
    'StakeTooSmall',
    '6018',
    'Less would reach the pool than the player agreed to.',
  ]);
});

test('an instruction that succeeds logs no error', async () => {
  expect(anchorErrorIn(expectOk(await join(world, lobby)))).toBeUndefined();
});

test('the program has the line of every error in the IDL', () => {
  const bytes = readFileSync(ARTIFACT).toString('latin1');
  for (const { code, name, msg } of idl.errors) {
    expect(bytes).toContain(
      `AnchorError occurred. Error Code: ${name}. Error Number: ${code}. Error Message: ${msg}.`,
    );
  }
});
