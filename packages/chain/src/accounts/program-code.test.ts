import { readFileSync } from 'node:fs';
import { getAddressEncoder } from '@solana/kit';
import { expect, test } from 'vitest';
import { PROGRAM_ID } from '../testing/join-calls.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { RELEASED_CODE, readProgramCode } from './program-code.ts';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const elf = readFileSync(new URL('../../../../programs/arena/arena.so', import.meta.url));
const head = Buffer.alloc(45);
head.writeUInt32LE(3, 0);
head.writeBigUInt64LE(77n, 4);

function read(data: Uint8Array, owner = LOADER) {
  const value = { data: [Buffer.from(data).toString('base64'), 'base64'], owner, executable: false };
  const { rpc } = scriptedNode({ getAccountInfo: () => ({ context: { slot: 1 }, value }) });
  return readProgramCode(rpc as never, PROGRAM_ID);
}

test('the released program is known by its hash, in an account of any size', async () => {
  const committed = readFileSync(
    new URL('../../../../programs/arena/arena.so.sha256', import.meta.url),
    'utf8',
  );
  expect(committed).toBe(`${RELEASED_CODE.sha256}  arena.so\n`);
  const released = { sha256: RELEASED_CODE.sha256, upgradeAuthority: null, deployedSlot: 77n };
  expect(await read(Buffer.concat([head, elf]))).toEqual(released);
  expect(await read(Buffer.concat([head, elf, Buffer.alloc(5_000)]))).toEqual(released);
});

test('code that was changed or has more behind it has another hash', async () => {
  const changed = Buffer.from(elf);
  changed[40_000]! ^= 1;
  const longer = Buffer.concat([elf, Buffer.from([0, 0, 1])]);
  const hashes = await Promise.all([changed, longer].map((code) => read(Buffer.concat([head, code]))));
  expect(new Set([RELEASED_CODE.sha256, ...hashes.map((code) => code!.sha256)]).size).toBe(3);
});

test('whoever can replace it is named', async () => {
  const owned = Buffer.concat([head, elf]);
  owned[12] = 1;
  owned.set(getAddressEncoder().encode(testAddress(5)), 13);
  expect(await read(owned)).toMatchObject({ upgradeAuthority: testAddress(5) });
});

test('an account that is not of the loader is no program', async () => {
  expect(await read(Buffer.concat([head, elf]), testAddress(5))).toBeUndefined();
  expect(await read(Buffer.alloc(45))).toBeUndefined();
  expect(await read(Buffer.alloc(3))).toBeUndefined();
});
