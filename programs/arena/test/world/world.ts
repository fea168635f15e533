import { readFileSync } from 'node:fs';
import {
  type AccountMeta,
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import { LiteSVM } from 'litesvm';
import { devProgramPrivateKey } from '../../dev-program.ts';
import { ARTIFACT } from './artifact.ts';
import { deployInstructions, findProgramData } from './deployment.ts';
import { type ArgumentValue, idlInstruction } from './idl-instruction.ts';
import { expectOk, type Result } from './outcome.ts';

export const SOL = 1_000_000_000n;
const elf = readFileSync(ARTIFACT);

/** A chain with the program deployed through the real loader, and the people who use it. */
export type World = {
  svm: LiteSVM;
  program: Address;
  programData: Address;
  globalConfig: Address;
  upgradeAuthority: KeyPairSigner;
  superAdmin: KeyPairSigner;
  treasury: KeyPairSigner;
  player: KeyPairSigner;
  stranger: KeyPairSigner;
};

export const PLATFORM_FEE_BASIS_POINTS = 500;

/** A world in which the global config exists. */
export async function createWorld(): Promise<World> {
  const world = await createUninitializedWorld();
  expectOk(await initialize(world));
  return world;
}

export async function createUninitializedWorld(): Promise<World> {
  const svm = new LiteSVM();
  const program = await createKeyPairSignerFromPrivateKeyBytes(await devProgramPrivateKey());
  const people = await Promise.all(Array.from({ length: 5 }, () => fundedSigner(svm)));
  const [upgradeAuthority, superAdmin, treasury, player, stranger] = people as [
    KeyPairSigner,
    KeyPairSigner,
    KeyPairSigner,
    KeyPairSigner,
    KeyPairSigner,
  ];
  const world: World = {
    svm,
    program: program.address,
    programData: await findProgramData(program.address),
    globalConfig: (
      await getProgramDerivedAddress({ programAddress: program.address, seeds: ['global_config'] })
    )[0],
    upgradeAuthority,
    superAdmin,
    treasury,
    player,
    stranger,
  };
  expectOk(
    await send(world, upgradeAuthority, await deployInstructions(svm, program, upgradeAuthority, elf)),
  );
  svm.warpToSlot(svm.getClock().slot + 2n); // a program can be called only from the slot after its deployment
  return world;
}

export async function fundedSigner(svm: LiteSVM, amount = 100n * SOL): Promise<KeyPairSigner> {
  const signer = await generateKeyPairSigner();
  svm.airdrop(signer.address, lamports(amount));
  return signer;
}

export type Call = {
  name: string;
  accounts: Record<string, Address | TransactionSigner>;
  args?: Record<string, ArgumentValue>;
  remaining?: AccountMeta[];
};

export const instruction = (world: World, call: Call) =>
  idlInstruction({ programAddress: world.program, ...call });

/** Sends one arena instruction in its own transaction, paid by `payer` (default: the super admin). */
export function call(world: World, { payer, ...rest }: Call & { payer?: KeyPairSigner }): Promise<Result> {
  return send(world, payer ?? world.superAdmin, [instruction(world, rest)]);
}

export async function send(world: World, payer: KeyPairSigner, instructions: Instruction[]): Promise<Result> {
  const { svm } = world;
  svm.expireBlockhash(); // otherwise a repeated transaction counts as already processed
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return svm.sendTransaction(await signTransactionMessageWithSigners(message));
}

export function initialize(
  world: World,
  changes: { accounts?: Call['accounts']; platformFeeBasisPoints?: number; payer?: KeyPairSigner } = {},
): Promise<Result> {
  return call(world, { payer: changes.payer ?? world.upgradeAuthority, ...initializeCall(world, changes) });
}

export function initializeCall(
  world: World,
  changes: { accounts?: Call['accounts']; platformFeeBasisPoints?: number } = {},
): Call {
  return {
    name: 'initialize_global_config',
    accounts: {
      global_config: world.globalConfig,
      upgrade_authority: world.upgradeAuthority,
      super_admin: world.superAdmin,
      platform_treasury: world.treasury.address,
      program_data: world.programData,
      ...changes.accounts,
    },
    args: { platform_fee_basis_points: changes.platformFeeBasisPoints ?? PLATFORM_FEE_BASIS_POINTS },
  };
}

export async function findLobby(world: World, lobbyId: bigint): Promise<Address> {
  const seeds = ['lobby', getU64Encoder().encode(lobbyId)];
  return (await getProgramDerivedAddress({ programAddress: world.program, seeds }))[0];
}

export const balanceOf = (world: World, account: Address): bigint => world.svm.getBalance(account) ?? 0n;
