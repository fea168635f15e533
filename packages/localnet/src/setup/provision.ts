import { findGlobalConfig } from '@engulf/chain/accounts/pdas';
import { findProgramData } from '@engulf/chain/accounts/program-code';
import { getInitializeGlobalConfigInstruction } from '@engulf/chain/generated/instructions/initializeGlobalConfig';
import { type Address, address, type Instruction } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { getInitializeMint2Instruction, getMintSize, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { readCurrentSlot } from '../node/finality.ts';
import type { Surfpool } from '../node/surfpool.ts';
import {
  deployProgram,
  type LoaderDeps,
  PROGRAM_DATA_HEADER_BYTES,
  upgradeProgram,
} from './deploy-program.ts';
import type { Fund } from './faucet.ts';
import type { LocalnetKeys } from './keys.ts';
import type { SendInstructions } from './send-instructions.ts';

export const TEST_TOKEN = { symbol: 'GULP', decimals: 6 } as const;

const SUPER_ADMIN_LAMPORTS = 1_000_000_000_000n;
/** Above the rent minimum, so that the smallest platform fee can be credited. */
const TREASURY_LAMPORTS = 1_000_000_000n;

/** For the fees of payouts. */
const PAYOUT_KEY_LAMPORTS = 10_000_000_000n;
/** Enough for a hundred thousand matches. */
const ANCHOR_LAMPORTS = 1_000_000_000n;

type ProvisionDeps = {
  readonly surfpool: Surfpool;
  readonly keys: LocalnetKeys;
  readonly send: SendInstructions;
  readonly fund: Fund;
  readonly executable: Uint8Array;
  readonly platformFeeBasisPoints: number;
  readonly log: (message: string) => void;
};

/** Sets up everything a game needs. Each step checks first, so an interrupted start is resumed. */
export async function provision(deps: ProvisionDeps): Promise<void> {
  await fundOperators(deps);
  await installProgram(deps);
  await createTestToken(deps);
  await createGlobalConfig(deps);
}

async function fundOperators({ surfpool, keys, fund }: ProvisionDeps): Promise<void> {
  const wanted = [
    { wallet: keys['super-admin'].address, lamports: SUPER_ADMIN_LAMPORTS },
    { wallet: keys.treasury.address, lamports: TREASURY_LAMPORTS },
    { wallet: keys['payout-key'].address, lamports: PAYOUT_KEY_LAMPORTS },
    { wallet: keys.anchor.address, lamports: ANCHOR_LAMPORTS },
  ];
  for (const { wallet, lamports } of wanted) {
    if ((await readData(surfpool, wallet)) === undefined) await fund(wallet, { lamports });
  }
}

async function installProgram(deps: ProvisionDeps): Promise<void> {
  const { surfpool, keys, executable, log } = deps;
  const { program } = keys;
  const loader = loaderDeps(deps);
  const installed = await readData(surfpool, await findProgramData(program.address));
  if (installed === undefined) {
    log(`Deploying the program (${executable.length} bytes) at ${program.address}`);
    await deployProgram(loader, program, executable);
  } else if (!holdsExecutable(installed, executable)) {
    if (executable.length > installed.length - PROGRAM_DATA_HEADER_BYTES) {
      throw new Error(
        'The program is larger than the space it was deployed with: delete the data folder to start over',
      );
    }
    log(`Upgrading the program at ${program.address}`);
    await upgradeProgram(loader, program.address, executable);
  } else {
    return;
  }
  // The loader runs a program only from the slot after its deployment.
  const deployedAt = await readCurrentSlot(surfpool);
  while ((await readCurrentSlot(surfpool)) <= deployedAt) await new Promise((done) => setTimeout(done, 20));
}

function loaderDeps({ surfpool, keys, send }: ProvisionDeps): LoaderDeps {
  const authority = keys['super-admin'];
  return {
    authority,
    send: (instructions: readonly Instruction[]) => send(authority, instructions),
    minimumBalance: (bytes) => rentExemption(surfpool, bytes),
  };
}

function holdsExecutable(programData: Uint8Array, executable: Uint8Array): boolean {
  const start = PROGRAM_DATA_HEADER_BYTES;
  const end = start + executable.length;
  return (
    Buffer.compare(programData.subarray(start, end), executable) === 0 &&
    programData.subarray(end).every((byte) => byte === 0)
  );
}

async function createTestToken({ surfpool, keys, send }: ProvisionDeps): Promise<void> {
  const { faucet } = keys;
  const mint = keys['test-token-mint'];
  if ((await readData(surfpool, mint.address)) !== undefined) return;
  const space = getMintSize();
  await send(faucet, [
    getCreateAccountInstruction({
      payer: faucet,
      newAccount: mint,
      lamports: await rentExemption(surfpool, space),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: TEST_TOKEN.decimals,
      mintAuthority: faucet.address,
    }),
  ]);
}

async function createGlobalConfig(deps: ProvisionDeps): Promise<void> {
  const { surfpool, keys, send, platformFeeBasisPoints } = deps;
  const programAddress = keys.program.address;
  const globalConfig = await findGlobalConfig(programAddress);
  if ((await readData(surfpool, globalConfig)) !== undefined) return;
  const superAdmin = keys['super-admin'];
  const instruction = getInitializeGlobalConfigInstruction(
    {
      globalConfig,
      upgradeAuthority: superAdmin,
      superAdmin,
      platformTreasury: keys.treasury.address,
      programData: await findProgramData(programAddress),
      platformFeeBasisPoints,
    },
    { programAddress },
  );
  await send(superAdmin, [instruction]);
}

async function readData(surfpool: Surfpool, account: Address): Promise<Uint8Array | undefined> {
  const reply = await surfpool.call('getAccountInfo', [address(account), { encoding: 'base64' }]);
  if ('error' in reply) throw new Error(`getAccountInfo failed: ${reply.error.message}`);
  const { value } = reply.result as { value: { data: [string, string] } | null };
  return value ? Buffer.from(value.data[0], 'base64') : undefined;
}

async function rentExemption(surfpool: Surfpool, bytes: number): Promise<bigint> {
  const reply = await surfpool.call('getMinimumBalanceForRentExemption', [bytes]);
  if ('error' in reply) throw new Error(`getMinimumBalanceForRentExemption: ${reply.error.message}`);
  return reply.result as bigint;
}
