import { readFileSync } from 'node:fs';
import { AccountRole, generateKeyPairSigner } from '@solana/kit';
import { FailedTransactionMetadata } from 'litesvm';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEV_PROGRAM_ADDRESS } from '../dev-program.ts';
import type { AnchorField } from '../idl/anchor.ts';
import { arenaIdl } from '../idl/arena.ts';
import { idl } from './world/idl-instruction.ts';
import { outcomeOf, type Result } from './world/outcome.ts';
import { createUninitializedWorld, send, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await createUninitializedWorld();
});

test('arena.json is up to date with its source (npm run idl)', () => {
  expect(idl).toEqual(JSON.parse(JSON.stringify(arenaIdl)));
});

test('the IDL has the address of the development key', () => {
  expect(world.program).toBe(DEV_PROGRAM_ADDRESS);
  expect(idl.address).toBe(DEV_PROGRAM_ADDRESS);
});

test('the IDL has the error codes, names and texts of the program', () => {
  const source = readFileSync(new URL('../src/errors.rs', import.meta.url), 'utf8');
  const lines = [...source.matchAll(/^ {4}(\d{4}) (\w+) "(.*)"$/gm)];
  expect(idl.errors).toEqual(lines.map(([, code, name, msg]) => ({ code: Number(code), name, msg })));
  expect(idl.errors.map(({ code }) => code)).toEqual(idl.errors.map((_, index) => 6000 + index));
});

test('errors 6000 to 6007 have the texts the product promises', () => {
  expect(idl.errors.slice(0, 8).map(({ msg }) => msg)).toEqual([
    'Unauthorized: signer is not the super admin.',
    'Invalid fee percentage: must be between 0 and 10000 basis points.',
    'Incorrect token mint for this lobby.',
    'Incorrect reward pool token account provided.',
    'Incorrect platform treasury wallet provided.',
    'Reward amount must be greater than zero.',
    'Incorrect lobby type: operation not valid for this lobby type.',
    'Insufficient balance in lobby for reward claim.',
  ]);
});

const pascalCase = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const logsOf = (result: Result) =>
  (result instanceof FailedTransactionMetadata ? result.meta() : result).logs();

/** Random accounts in place of real ones: enough to see how many an instruction takes. */
async function sendRaw(data: ArrayLike<number>, accounts: number): Promise<Result> {
  const keys = await Promise.all(Array.from({ length: accounts }, () => generateKeyPairSigner()));
  const metas = keys.map(({ address }) => ({ address, role: AccountRole.READONLY }));
  return send(world, world.stranger, [
    { programAddress: world.program, accounts: metas, data: Uint8Array.from(data) },
  ]);
}

describe.each(idl.instructions)('$name', ({ name, discriminator, accounts, args }) => {
  const sizes = { bool: 1, u8: 1, u16: 2, u64: 8, pubkey: 32 };
  const bytesOf = (type: AnchorField['type']) => {
    if (typeof type !== 'object') return sizes[type];
    return 'vec' in type ? 4 : type.array[1];
  };
  const argumentBytes = args.reduce((sum, { type }) => sum + bytesOf(type), 0);
  const data = [...discriminator, ...Array<number>(argumentBytes).fill(0)];

  test('is known to the program by its discriminator', async () => {
    const result = await sendRaw(data, accounts.length);
    expect(logsOf(result)).toContain(`Program log: Instruction: ${pascalCase(name)}`);
  });

  test('takes exactly the accounts and arguments of the IDL', async () => {
    const refusals = ['NotEnoughAccountKeys', 'InvalidInstructionData'];
    expect(outcomeOf(await sendRaw(data, accounts.length - 1))).toBe('NotEnoughAccountKeys');
    expect(refusals).not.toContain(outcomeOf(await sendRaw(data, accounts.length)));
    expect(outcomeOf(await sendRaw([...data, 0], accounts.length))).toBe('InvalidInstructionData');
    if (argumentBytes)
      expect(outcomeOf(await sendRaw(data.slice(0, -1), accounts.length))).toBe('InvalidInstructionData');
  });
});

test('unknown instruction data is refused', async () => {
  for (const data of [
    [],
    [1],
    [1, 2, 3, 4, 5, 6, 7],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  ]) {
    expect(outcomeOf(await sendRaw(data, 3))).toBe('InvalidInstructionData');
  }
});

test('a batch whose length runs past its end is refused', async () => {
  const { discriminator } = idl.instructions.find(({ name }) => name === 'claim_multiple_rewards') ?? {
    discriminator: [],
  };
  for (const length of [1, 2 ** 29, 2 ** 31, 2 ** 32 - 1]) {
    const bytes = new Uint8Array(new Uint32Array([length]).buffer);
    expect(outcomeOf(await sendRaw([...discriminator, ...bytes], 6))).toBe('InvalidInstructionData');
  }
});
