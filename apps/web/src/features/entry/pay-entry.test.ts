import { findGlobalConfig, findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { getGlobalConfigEncoder } from '@engulf/chain/generated/accounts/globalConfig';
import { getLobbyConfigEncoder } from '@engulf/chain/generated/accounts/lobbyConfig';
import { parseJoinLobbyInstruction } from '@engulf/chain/generated/instructions/joinLobby';
import { readInputsMemo } from '@engulf/chain/payments/inputs-memo';
import { MEMO_PROGRAM } from '@engulf/chain/payouts/claim-message';
import type { PublicConfig } from '@engulf/protocol/http/config';
import {
  type Address,
  address,
  decompileTransactionMessage,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { SolanaSignTransaction } from '@solana/wallet-standard-features';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectedWallet } from '../../shared/stores/wallet-store.ts';
import { aLobby } from '../../testing/fixtures.ts';
import { payEntry } from './pay-entry.ts';

const PROGRAM = address('CFtdjtiYjwfRbKvB45xmGnozzDGNEpMy15ekSrsjNqWA');
const TREASURY = address('Stake11111111111111111111111111111111111111');
const PLAYER = address('Vote111111111111111111111111111111111111111');
const NOBODY = address('11111111111111111111111111111111');
const lobby = aLobby({ lobbyId: 5 });

const config = {
  mode: 'external',
  rpcUrl: 'http://node.example',
  programId: PROGRAM,
  treasury: TREASURY,
  platformFeeBasisPoints: 500,
} as unknown as PublicConfig;

/** What the node is asked and the wallet is given, in order. */
const steps: string[] = [];
const signTransaction =
  vi.fn<(input: { transaction: Uint8Array }) => Promise<{ signedTransaction: Uint8Array }[]>>();
/** What the node answers to the transaction; undefined where it takes it. */
const sendTransaction = vi.fn<() => Response | undefined>();
let onChain: {
  treasury: Address;
  feeBasisPoints: number;
  owner: Address;
  simulated: object;
  status: object | null;
};

beforeEach(async () => {
  steps.length = 0;
  onChain = {
    treasury: TREASURY,
    feeBasisPoints: 500,
    owner: PROGRAM,
    simulated: { err: null, logs: [] },
    status: null,
  };
  sendTransaction.mockReset();
  signTransaction.mockReset().mockImplementation(async () => {
    steps.push('wallet');
    throw new Error('User rejected the request');
  });
  const [globalConfig, lobbyConfig] = [await findGlobalConfig(PROGRAM), await findLobbyConfig(PROGRAM, 5n)];
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body: string }) => {
    const { id, method, params } = JSON.parse(body) as { id: string; method: string; params: unknown[] };
    steps.push(method);
    const refusal = method === 'sendTransaction' ? sendTransaction() : undefined;
    if (refusal) return refusal;
    return Response.json({
      jsonrpc: '2.0',
      id,
      result: method === 'getBlockHeight' ? 100 : { context: { slot: 1 }, value: answer(method, params) },
    });
  });

  function answer(method: string, [wanted]: unknown[]): unknown {
    if (method === 'getLatestBlockhash') return { blockhash: NOBODY, lastValidBlockHeight: 150 };
    if (method === 'simulateTransaction') return onChain.simulated;
    if (method === 'getSignatureStatuses') return [onChain.status];
    if (wanted === globalConfig) return account(globalConfigBytes());
    return wanted === lobbyConfig ? account(lobbyBytes()) : null;
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function globalConfigBytes() {
  const { treasury: platformTreasury, feeBasisPoints: platformFeeBasisPoints } = onChain;
  return getGlobalConfigEncoder().encode({
    superAdmin: NOBODY,
    platformTreasury,
    platformFeeBasisPoints,
    bump: 1,
  });
}

function lobbyBytes() {
  const none = { tokenMint: NOBODY, rewardPoolTokenAccount: NOBODY };
  const entryFeeAmount = BigInt(lobby.entryFee);
  return getLobbyConfigEncoder().encode({
    ...none,
    lobbyId: 5n,
    entryFeeAmount,
    isSolLobby: true,
    bump: 1,
    reserveLamports: 1n,
  });
}

function account(data: ReadonlyUint8Array) {
  const encoded = [getBase64Decoder().decode(data), 'base64'];
  return {
    data: encoded,
    executable: false,
    lamports: 1,
    owner: onChain.owner,
    rentEpoch: 0,
    space: data.length,
  };
}

const INPUTS_KEY = 'ab'.repeat(32);

function pay(signal?: AbortSignal) {
  const features = { [SolanaSignTransaction]: { signTransaction } };
  const connected = { wallet: { features }, account: { address: PLAYER } } as unknown as ConnectedWallet;
  const inputsKey = INPUTS_KEY;
  return payEntry({ config, connected, payer: PLAYER, lobby, onSigned: () => undefined, inputsKey, signal });
}

async function expectRefusal(text: string): Promise<void> {
  expect(await pay()).toMatchObject({ ok: false, error: { text } });
  expect(signTransaction).not.toHaveBeenCalled();
}

describe('before the wallet is asked, a payment', () => {
  test('is simulated, and names the least stake and the key for inputs', async () => {
    expect(await pay()).toMatchObject({ ok: false, error: { isCancelled: true } });
    expect(steps.slice(-2)).toEqual(['simulateTransaction', 'wallet']);
    const { transaction } = signTransaction.mock.calls[0]![0];
    const { messageBytes } = getTransactionDecoder().decode(transaction);
    const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
    const instruction = message.instructions[0] as Parameters<typeof parseJoinLobbyInstruction>[0];
    expect(parseJoinLobbyInstruction(instruction).data).toMatchObject({
      expectedEntryFeeAmount: 100_000_000n,
      minStakeAmount: 95_000_000n,
    });
    const memo = message.instructions.find(({ programAddress }) => programAddress === MEMO_PROGRAM);
    expect(readInputsMemo(memo!.data as Uint8Array)).toBe(INPUTS_KEY);
  });

  test('is refused if the chain has another treasury than the server names', async () => {
    onChain.treasury = NOBODY;
    await expectRefusal('Platform treasury wallet mismatch');
  });

  test.each([499, 501, 2_000])(
    'is refused if the chain takes %i basis points, not what was shown',
    async (fee) => {
      onChain.feeBasisPoints = fee;
      await expectRefusal('The platform fee differs from the one shown. Please try again in a minute.');
    },
  );

  test('is refused if another program owns what the chain has at these addresses', async () => {
    onChain.owner = TREASURY;
    await expectRefusal('The program named by the server does not run on this chain');
  });

  test.each([
    [{ InstructionError: [0, { Custom: 6018 }] }, [], 'Less would reach the pool than the player agreed to.'],
    [
      { InstructionError: [0, { Custom: 1 }] },
      ['Transfer: insufficient lamports 1, need 2'],
      'Insufficient SOL balance to join this lobby.',
    ],
    ['AccountNotFound', [], 'Insufficient SOL balance to join this lobby.'],
  ])('is refused if its simulation fails with %j', async (err, logs, text) => {
    onChain.simulated = { err, logs };
    await expectRefusal(text);
  });
});

describe('once the wallet has signed, a payment', () => {
  const finalized = { slot: 9, confirmations: null, err: null, confirmationStatus: 'finalized' };
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  const timedOut = () => new Response('upstream timed out', { status: 504 });
  const notJson = () => new Response('<html>');

  beforeEach(() => {
    vi.useFakeTimers();
    signTransaction.mockImplementation(async ({ transaction }) => [
      { signedTransaction: Uint8Array.from(transaction).fill(7, 1, 65) },
    ]);
  });

  test.each([
    ['the connection breaks', lost],
    ['a gateway gives up', timedOut],
    ['the answer is not JSON', notJson],
  ])('is waited for although %s while it is sent', async (_, answer) => {
    sendTransaction.mockImplementation(answer);
    const paid = pay();
    await vi.waitFor(() => expect(sendTransaction).toHaveBeenCalled());
    onChain.status = finalized;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await paid).toMatchObject({ ok: true });
  });

  test('can no longer be taken back', async () => {
    const cancelling = new AbortController();
    const paid = pay(cancelling.signal);
    await vi.waitFor(() => expect(sendTransaction).toHaveBeenCalled());
    cancelling.abort(new Error('User rejected the request'));
    onChain.status = finalized;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await paid).toMatchObject({ ok: true });
  });

  test('is sent again until the node takes it', async () => {
    sendTransaction.mockImplementationOnce(timedOut).mockImplementationOnce(lost);
    const paid = pay();
    await vi.waitFor(() => expect(sendTransaction).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sendTransaction).toHaveBeenCalledTimes(3);
    onChain.status = finalized;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await paid).toMatchObject({ ok: true });
  });

  test('fails at once if the node refuses it', async () => {
    sendTransaction.mockImplementation(() => {
      const data = { err: 'InsufficientFundsForFee', logs: [] };
      const error = { code: -32002, message: 'Transaction simulation failed', data };
      return Response.json({ jsonrpc: '2.0', id: '0', error });
    });
    expect(await pay()).toMatchObject({
      ok: false,
      error: { text: 'Insufficient SOL balance to join this lobby.' },
    });
  });
});

test('a payment that is taken back while the wallet is silent is cancelled, and a late signature is not sent', async () => {
  let signLate: (answer: { signedTransaction: Uint8Array }[]) => void = () => undefined;
  signTransaction.mockImplementation(() => new Promise((resolve) => (signLate = resolve)));
  const cancelling = new AbortController();
  const paid = pay(cancelling.signal);
  await vi.waitFor(() => expect(signTransaction).toHaveBeenCalled());
  const { transaction } = signTransaction.mock.calls[0]![0];
  cancelling.abort(new Error('User rejected the request'));
  expect(await paid).toMatchObject({ ok: false, error: { isCancelled: true } });
  signLate([{ signedTransaction: Uint8Array.from(transaction).fill(7, 1, 65) }]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(sendTransaction).not.toHaveBeenCalled();
});

test('a wallet that stays silent for the life of the blockhash ends the payment, and its late answer is not sent', async () => {
  vi.useFakeTimers();
  let signLate: (answer: { signedTransaction: Uint8Array }[]) => void = () => undefined;
  signTransaction.mockImplementation(() => new Promise((resolve) => (signLate = resolve)));
  const paid = pay();
  await vi.waitFor(() => expect(signTransaction).toHaveBeenCalled());
  const { transaction } = signTransaction.mock.calls[0]![0];
  await vi.advanceTimersByTimeAsync(90_000);
  expect(await paid).toMatchObject({ ok: false, error: { text: 'Payment failed. Please try again.' } });
  signLate([{ signedTransaction: Uint8Array.from(transaction).fill(7, 1, 65) }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sendTransaction).not.toHaveBeenCalled();
});
