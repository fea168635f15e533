import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { getEditLobbyPriceInstructionAsync } from '@engulf/chain/generated/instructions/editLobbyPrice';
import { explainPaymentError } from '@engulf/chain/node/error-texts';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction, type JoinRequest } from '@engulf/chain/payments/join-transaction';
import { verifyPayment } from '@engulf/chain/payments/verify-payment';
import { type Address, appendTransactionMessageInstructions, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signTransfer } from '../src/testing/load.ts';
import {
  createTestLobbies,
  type LobbyTerms,
  OTHER_SOL_LOBBY,
  SOL_LOBBY,
  TOKEN_LOBBY,
} from '../src/testing/test-lobbies.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

let chain: TestLocalnet;
let lobbies: Awaited<ReturnType<typeof createTestLobbies>>;

beforeAll(async () => {
  chain = await startTestLocalnet();
  lobbies = await createTestLobbies(chain);
});
afterAll(() => chain.dispose());

describe('verifyPayment on a real chain', () => {
  test('reports a SOL payment as pending first and as paid once it is final', async () => {
    // Eight slots are four seconds now, and a moment on the chain of the other tests.
    await chain.restart({ slotTimeMs: 500 });
    const player = await chain.newWallet();
    const signed = await lobbies.signJoin(player, SOL_LOBBY);
    expect(await verify(signed.signature, player.address)).toEqual({ kind: 'pending', reason: 'not-seen' });
    await chain.rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
    expect(await verify(signed.signature, player.address)).toEqual({ kind: 'pending', reason: 'not-final' });
    await chain.restart();
    await chain.sendAndFinalize(signed, { skipPreflight: true });
    expect(await verify(signed.signature, player.address)).toMatchObject({
      kind: 'paid',
      payment: {
        player: player.address,
        entryFee: 100_000_019n,
        platformFee: 5_000_000n,
        stake: 95_000_019n,
      },
      surplus: [],
    });
  });

  test('finds the key for inputs that the page has put beside the join', async () => {
    const player = await chain.newWallet();
    const inputsKey = 'ab'.repeat(32);
    const { signature } = await lobbies.join(player, { ...SOL_LOBBY, inputsKey });
    expect(await verify(signature, player.address)).toMatchObject({ kind: 'paid', payment: { inputsKey } });
  });

  test('accepts a token payment whose transaction also creates the token accounts', async () => {
    const player = await chain.newWallet({ lamports: 1_000_000_000n, tokens: 25_000_007n });
    const { signature } = await lobbies.join(player, TOKEN_LOBBY);
    const tokenMint = chain.net.testToken.mint;
    expect(await verify(signature, player.address, { ...TOKEN_LOBBY, tokenMint })).toMatchObject({
      kind: 'paid',
      payment: { tokenMint, platformFee: 1_250_000n, stake: 23_750_007n },
    });
  });

  test('refuses a payment to another lobby, to no lobby, or of another price', async () => {
    const player = await chain.newWallet();
    const elsewhere = await lobbies.join(player, OTHER_SOL_LOBBY);
    const nowhere = await signTransfer(chain.rpc, player, chain.net.treasury, 100_000_019n);
    await chain.sendAndFinalize(nowhere);
    const failure = { code: 'PAYMENT_DESTINATION_VERIFICATION_FAILED', context: undefined };
    for (const { signature } of [elsewhere, nowhere]) {
      expect(await verify(signature, player.address)).toEqual({ kind: 'refused', failure });
    }
    const { signature } = await lobbies.join(player, SOL_LOBBY);
    const expected = { ...SOL_LOBBY, entryFee: 100_000_018n };
    expect(await verify(signature, player.address, expected)).toEqual({ kind: 'refused', failure });
  });

  test("refuses a stranger's payment", async () => {
    const [player, stranger] = [await chain.newWallet(), await chain.newWallet()];
    const { signature } = await lobbies.join(stranger, SOL_LOBBY);
    expect(await verify(signature, player.address)).toMatchObject({
      failure: { code: 'WALLET_ADDRESS_MISMATCH' },
    });
  });

  test("refuses a transaction that landed and failed, with the program's error text", async () => {
    const player = await chain.newWallet();
    const signed = await lobbies.signJoin(player, OTHER_SOL_LOBBY);
    await setPrice(OTHER_SOL_LOBBY, 60_000_000n);
    const fate = await chain.sendAndFinalize(signed, { skipPreflight: true });
    await setPrice(OTHER_SOL_LOBBY, OTHER_SOL_LOBBY.entryFee);
    const reason = 'Entry fee differs from the one the player agreed to.';
    expect(fate).toEqual({ kind: 'failed', reason });
    expect(await verify(signed.signature, player.address, OTHER_SOL_LOBBY)).toEqual({
      kind: 'refused',
      failure: { code: 'TRANSACTION_FAILED', context: { reason } },
    });
  });

  test('gives up on an unknown signature once its blockhash must have expired', async () => {
    const player = await chain.newWallet();
    const signed = await lobbies.signJoin(player, SOL_LOBBY);
    const height = await chain.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    const heardAt = (heardAtBlockHeight: bigint) =>
      verify(signed.signature, player.address, SOL_LOBBY, { heardAtBlockHeight });
    expect(await heardAt(height - 150n)).toMatchObject({ kind: 'pending' });
    expect(await heardAt(height - 351n)).toMatchObject({ failure: { code: 'TRANSACTION_FAILED' } });
  });

  test('finds the payment among other instructions and reports surplus payments', async () => {
    const [player, friend] = [await chain.newWallet(), await chain.newWallet()];
    const [friendsJoin] = (await lobbies.buildJoin(friend, SOL_LOBBY)).instructions;
    const [otherJoin] = (await lobbies.buildJoin(player, OTHER_SOL_LOBBY)).instructions;
    const transfer = getTransferSolInstruction({ source: player, destination: friend.address, amount: 1n });
    const message = appendTransactionMessageInstructions(
      [friendsJoin!, transfer, otherJoin!],
      await lobbies.buildJoin(player, SOL_LOBBY),
    );
    const signed = await signForSending(message);
    await chain.sendAndFinalize(signed);
    expect(await verify(signed.signature, player.address)).toMatchObject({
      kind: 'paid',
      payment: { player: player.address, stake: 95_000_019n },
      surplus: [
        { player: friend.address, stake: 95_000_019n },
        { player: player.address, stake: 47_500_000n },
      ],
    });
  });
});

describe('buildJoinTransaction on a real chain', () => {
  test('refuses an unexpected treasury, fee, price, lobby or program', async () => {
    const player = await chain.newWallet();
    const build = (change: Partial<JoinRequest>) =>
      buildJoinTransaction({ rpc: chain.rpc, ...chain.net, ...SOL_LOBBY, player, ...change });
    const refusal = (code: string) => ({ ok: false, error: { code } });
    expect(await build({ treasury: player.address })).toMatchObject(refusal('TREASURY_MISMATCH'));
    for (const platformFeeBasisPoints of [0, 499, 501]) {
      expect(await build({ platformFeeBasisPoints })).toMatchObject(refusal('PLATFORM_FEE_MISMATCH'));
    }
    expect(await build({ entryFee: 1n })).toMatchObject(refusal('PROGRAM_ENTRY_FEE_CHANGED'));
    expect(await build({ lobbyId: 404n })).toMatchObject(refusal('LOBBY_NOT_FOUND'));
    expect(await build({ programId: TOKEN_PROGRAM_ADDRESS })).toMatchObject(
      refusal('ARENA_PROGRAM_MISMATCH'),
    );
  });

  test('creates only the token accounts that are missing', async () => {
    const player = await chain.newWallet({ lamports: 1_000_000_000n, tokens: 60_000_000n });
    await lobbies.join(player, TOKEN_LOBBY);
    expect((await lobbies.buildJoin(player, TOKEN_LOBBY)).instructions).toHaveLength(1 + 2);
  });
});

describe('explainPaymentError on a real chain', () => {
  test('explains a wallet that is too poor and a transaction sent twice', async () => {
    const poor = await chain.newWallet({ lamports: 1_000_000n });
    const { wire: unpayable } = await lobbies.signJoin(poor, SOL_LOBBY);
    expect(await explain(unpayable)).toBe('Insufficient SOL balance to join this lobby.');
    const { wire: landed } = await lobbies.join(await chain.newWallet(), SOL_LOBBY);
    expect(await explain(landed)).toBe('Transaction already processed. Please wait a moment...');
  });

  async function explain(wire: Parameters<typeof chain.rpc.sendTransaction>[0]): Promise<string> {
    const sending = chain.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    return explainPaymentError(await sending.catch((thrown: unknown) => thrown)).text;
  }
});

async function setPrice({ lobbyId }: LobbyTerms, entryFeeAmount: bigint): Promise<void> {
  const { programId, superAdmin } = chain.net;
  const lobbyConfig = await findLobbyConfig(programId, lobbyId);
  const accounts = { lobbyConfig, superAdmin, entryFeeAmount };
  await lobbies.sendAsAdmin(await getEditLobbyPriceInstructionAsync(accounts, { programAddress: programId }));
}

function verify(
  signature: Signature,
  wallet: Address,
  { lobbyId, entryFee, tokenMint }: LobbyTerms & { readonly tokenMint?: Address } = SOL_LOBBY,
  change: Partial<Parameters<typeof verifyPayment>[0]> = {},
) {
  const { programId } = chain.net;
  return verifyPayment({
    nodes: [chain.rpc],
    signature,
    expected: { programId, lobbyId, entryFee, wallet, tokenMint },
    heardAtBlockHeight: 1_000_000_000n,
    ...change,
  });
}
