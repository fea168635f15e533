import { type Lobby, readLobby } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { type SignedTransaction, signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import type { Address, Instruction, KeyPairSigner } from '@solana/kit';
import { signInstructions } from './load.ts';
import type { TestLocalnet } from './test-localnet.ts';

export type LobbyTerms = {
  readonly lobbyId: bigint;
  readonly entryFee: bigint;
  readonly inputsKey?: string;
};

/** Odd fees, so that the platform's share does not divide evenly. */
export const SOL_LOBBY: LobbyTerms = { lobbyId: 1n, entryFee: 100_000_019n };
export const OTHER_SOL_LOBBY: LobbyTerms = { lobbyId: 2n, entryFee: 50_000_000n };
export const TOKEN_LOBBY: LobbyTerms = { lobbyId: 3n, entryFee: 25_000_007n };

/** Creates the three lobbies, and offers what players and the super admin do with them. */
export async function createTestLobbies(chain: TestLocalnet) {
  const { rpc } = chain;

  async function sendAsAdmin(instruction: Instruction): Promise<void> {
    await finalize(await signInstructions(rpc, chain.net.superAdmin, [instruction]));
  }
  async function createLobby(terms: LobbyTerms, tokenMint: Address | undefined): Promise<void> {
    await sendAsAdmin(await createLobbyInstruction({ ...chain.net, ...terms, tokenMint }));
  }
  async function finalize(signed: SignedTransaction): Promise<void> {
    const fate = await chain.sendAndFinalize(signed);
    if (fate.kind !== 'finalized') throw new Error(`A transaction did not succeed: ${JSON.stringify(fate)}`);
  }
  async function buildJoin(player: KeyPairSigner, terms: LobbyTerms) {
    const join = await buildJoinTransaction({ rpc, ...chain.net, ...terms, player });
    if (!join.ok) throw new Error(join.error.code);
    return join.value;
  }
  async function signJoin(player: KeyPairSigner, terms: LobbyTerms): Promise<SignedTransaction> {
    return signForSending(await buildJoin(player, terms));
  }
  async function join(player: KeyPairSigner, terms: LobbyTerms): Promise<SignedTransaction> {
    const signed = await signJoin(player, terms);
    await finalize(signed);
    return signed;
  }
  /** The lobby after one more player has joined it, so that its pool holds something. */
  async function paidLobby(terms: LobbyTerms): Promise<Lobby> {
    await join(await chain.newWallet({ lamports: 1_000_000_000n, tokens: TOKEN_LOBBY.entryFee }), terms);
    return (await readLobby(rpc, chain.net.programId, terms.lobbyId))!;
  }

  await createLobby(SOL_LOBBY, undefined);
  await createLobby(OTHER_SOL_LOBBY, undefined);
  await createLobby(TOKEN_LOBBY, chain.net.testToken.mint);
  return { sendAsAdmin, createLobby, finalize, buildJoin, signJoin, join, paidLobby };
}
