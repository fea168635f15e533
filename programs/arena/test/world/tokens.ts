import {
  type Address,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type Lamports,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { expectOk } from './outcome.ts';
import { send, type World } from './world.ts';

export const TOKEN_PROGRAM = TOKEN_PROGRAM_ADDRESS;
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

export type Mint = {
  address: Address;
  tokenProgram: Address;
};

/** A Token-2022 mint extension: the bytes it takes (type and length included) and the instruction that sets it up. */
export type MintExtension = {
  bytes: number;
  data: (authority: Uint8Array) => Uint8Array;
};

const MINT_BYTES = 82;
const EXTENDED_MINT_BYTES = 166;
const MULTISIG_BYTES = 355;

export async function createMint(
  world: World,
  options: { tokenProgram?: Address; extensions?: MintExtension[]; freezeAuthority?: Address } = {},
): Promise<Mint> {
  const { tokenProgram = TOKEN_PROGRAM, extensions = [], freezeAuthority } = options;
  const { svm, superAdmin } = world;
  const mint = await generateKeyPairSigner();
  const extensionBytes = extensions.reduce((total, { bytes }) => total + bytes, 0);
  const space = BigInt(extensions.length ? EXTENDED_MINT_BYTES + extensionBytes : MINT_BYTES);
  const authority = getAddressEncoder().encode(superAdmin.address) as Uint8Array;
  const initializeExtensions = extensions.map(
    ({ data }): Instruction => ({
      programAddress: tokenProgram,
      accounts: [{ address: mint.address, role: 1 }],
      data: data(authority),
    }),
  );
  const mintAuthority = superAdmin.address;
  expectOk(
    await send(world, superAdmin, [
      getCreateAccountInstruction({
        payer: superAdmin,
        newAccount: mint,
        lamports: svm.minimumBalanceForRentExemption(space),
        space,
        programAddress: tokenProgram,
      }),
      ...initializeExtensions,
      getInitializeMint2Instruction(
        { mint: mint.address, decimals: 6, mintAuthority, ...(freezeAuthority && { freezeAuthority }) },
        { programAddress: tokenProgram },
      ),
    ]),
  );
  return { address: mint.address, tokenProgram };
}

export async function associatedTokenAccount(
  owner: Address,
  { address: mint, tokenProgram }: Mint,
): Promise<Address> {
  return (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0];
}

/** Creates the associated token account of `owner` if there is none, and mints into it. */
export async function giveTokens(world: World, mint: Mint, owner: Address, amount: bigint): Promise<Address> {
  const { superAdmin } = world;
  const token = await associatedTokenAccount(owner, mint);
  const instructions: Instruction[] = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: superAdmin,
      ata: token,
      owner,
      mint: mint.address,
      tokenProgram: mint.tokenProgram,
    }),
  ];
  if (amount > 0n) {
    const to = { mint: mint.address, token, mintAuthority: superAdmin, amount };
    instructions.push(getMintToInstruction(to, { programAddress: mint.tokenProgram }));
  }
  expectOk(await send(world, superAdmin, instructions));
  return token;
}

/** A multisig of the token program with every byte set to `filler`, to look like something else. */
export function createMultisig(world: World, filler: number, tokenProgram: Address = TOKEN_PROGRAM): Address {
  const address = world.stranger.address;
  const data = new Uint8Array(MULTISIG_BYTES).fill(filler);
  const lamports = world.svm.minimumBalanceForRentExemption(BigInt(data.length)) as Lamports;
  world.svm.setAccount({
    address,
    data,
    executable: false,
    lamports,
    programAddress: tokenProgram,
    space: BigInt(data.length),
  });
  return address;
}

export function tokenBalance(world: World, account: Address): bigint {
  const found = world.svm.getAccount(account);
  return found.exists && found.data.length > 0
    ? getTokenDecoder().decode(found.data.slice(0, 165)).amount
    : 0n;
}
