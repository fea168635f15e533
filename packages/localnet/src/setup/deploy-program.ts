import { findProgramData } from '@engulf/chain/accounts/program-code';
import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getStructEncoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';

const LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');
const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

const BUFFER_HEADER_BYTES = 37;
const PROGRAM_BYTES = 36;
export const PROGRAM_DATA_HEADER_BYTES = 45;
/** A transaction holds 1,232 bytes; signature, keys and instruction header take about 220. */
const CHUNK_BYTES = 960;
/** Room for later versions, which replace the bytes in place. */
const GROWTH_FACTOR = 2;

export type LoaderDeps = {
  readonly authority: KeyPairSigner;
  readonly send: (instructions: readonly Instruction[]) => Promise<unknown>;
  readonly minimumBalance: (bytes: number) => Promise<bigint>;
};

/** Deploys like `solana program deploy`: writes the bytes into a buffer, which loader-v3 verifies and installs. */
export async function deployProgram(
  deps: LoaderDeps,
  program: KeyPairSigner,
  executable: Uint8Array,
): Promise<void> {
  const { authority } = deps;
  const buffer = await writeBuffer(deps, executable);
  const createProgram = getCreateAccountInstruction({
    payer: authority,
    newAccount: program,
    lamports: await deps.minimumBalance(PROGRAM_BYTES),
    space: PROGRAM_BYTES,
    programAddress: LOADER,
  });
  const maxDataLength = BigInt(executable.length * GROWTH_FACTOR);
  await deps.send([
    createProgram,
    {
      programAddress: LOADER,
      accounts: [
        { address: authority.address, role: AccountRole.WRITABLE_SIGNER },
        { address: await findProgramData(program.address), role: AccountRole.WRITABLE },
        { address: program.address, role: AccountRole.WRITABLE },
        { address: buffer, role: AccountRole.WRITABLE },
        { address: RENT_SYSVAR, role: AccountRole.READONLY },
        { address: CLOCK_SYSVAR, role: AccountRole.READONLY },
        { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
        { address: authority.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: new Uint8Array(deployEncoder.encode({ instruction: 2, maxDataLength })),
    },
  ]);
}

/** Replaces the bytes of a deployed program. Its address, accounts and balances stay. */
export async function upgradeProgram(
  deps: LoaderDeps,
  program: Address,
  executable: Uint8Array,
): Promise<void> {
  const { authority } = deps;
  const buffer = await writeBuffer(deps, executable);
  await deps.send([
    {
      programAddress: LOADER,
      accounts: [
        { address: await findProgramData(program), role: AccountRole.WRITABLE },
        { address: program, role: AccountRole.WRITABLE },
        { address: buffer, role: AccountRole.WRITABLE },
        { address: authority.address, role: AccountRole.WRITABLE },
        { address: RENT_SYSVAR, role: AccountRole.READONLY },
        { address: CLOCK_SYSVAR, role: AccountRole.READONLY },
        { address: authority.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: new Uint8Array(getU32Encoder().encode(3)),
    },
  ]);
}

async function writeBuffer(deps: LoaderDeps, executable: Uint8Array): Promise<Address> {
  const { authority } = deps;
  const buffer = await generateKeyPairSigner();
  const space = BUFFER_HEADER_BYTES + executable.length;
  await deps.send([
    getCreateAccountInstruction({
      payer: authority,
      newAccount: buffer,
      lamports: await deps.minimumBalance(space),
      space,
      programAddress: LOADER,
    }),
    {
      programAddress: LOADER,
      accounts: [
        { address: buffer.address, role: AccountRole.WRITABLE },
        { address: authority.address, role: AccountRole.READONLY },
      ],
      data: new Uint8Array(getU32Encoder().encode(0)),
    },
  ]);
  for (let offset = 0; offset < executable.length; offset += CHUNK_BYTES) {
    await deps.send([writeChunk(buffer.address, authority, offset, executable)]);
  }
  return buffer.address;
}

function writeChunk(
  buffer: Address,
  authority: KeyPairSigner,
  offset: number,
  executable: Uint8Array,
): Instruction {
  const chunk = executable.subarray(offset, offset + CHUNK_BYTES);
  const header = writeEncoder.encode({ instruction: 1, offset, length: BigInt(chunk.length) });
  return {
    programAddress: LOADER,
    accounts: [
      { address: buffer, role: AccountRole.WRITABLE },
      { address: authority.address, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.from([...header, ...chunk]),
  };
}

const deployEncoder = getStructEncoder([
  ['instruction', getU32Encoder()],
  ['maxDataLength', getU64Encoder()],
]);

const writeEncoder = getStructEncoder([
  ['instruction', getU32Encoder()],
  ['offset', getU32Encoder()],
  ['length', getU64Encoder()],
]);
