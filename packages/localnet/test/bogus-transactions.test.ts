import { createHash } from 'node:crypto';
import { type SignedTransaction, signForSending } from '@engulf/chain/node/signed-transaction';
import {
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { signInstructions, signTransfer } from '../src/testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

let chain: TestLocalnet;
let rich: KeyPairSigner;
const onFault = vi.fn();

beforeAll(async () => {
  chain = await startTestLocalnet({ logger: { info: () => undefined, error: onFault } });
  rich = await chain.newWallet();
});
afterAll(() => chain.dispose());

afterEach(async () => {
  const payment = await signTransfer(chain.rpc, rich, chain.net.treasury, 1n);
  expect(await chain.sendAndFinalize(payment)).toMatchObject({ kind: 'finalized' });
  expect(onFault).not.toHaveBeenCalled();
});

describe('a transaction that a node would drop', () => {
  test('is dropped when its fee payer has no money', async () => {
    const poor = await generateKeyPairSigner();
    await expectDropped(await signTransfer(chain.rpc, poor, rich.address, 1n), /no record of a prior credit/);
  });

  test('is dropped when its fee payer cannot pay the fee', async () => {
    const poor = await chain.newWallet({ lamports: 890_880n });
    await expectDropped(await signTransfer(chain.rpc, poor, rich.address, 1n), /insufficient|rent/i);
  });

  test('is dropped when its blockhash is unknown', async () => {
    const unknown = (await generateKeyPairSigner()).address as string as Blockhash;
    await expectDropped(await sign(0, [transfer()], unknown), /blockhash/i);
  });

  test('is dropped when its program does not exist', async () => {
    const programAddress = (await generateKeyPairSigner()).address;
    await expectDropped(await sign(0, [{ programAddress, data: Uint8Array.of(1) }]), /program/i);
  });

  test('is dropped when its program is not executable', async () => {
    await expectDropped(await sign(0, [{ programAddress: chain.net.treasury }]), /program/i);
  });

  test('is refused when its signature is wrong', async () => {
    const { wire } = await signTransfer(chain.rpc, rich, chain.net.treasury, 3n);
    const bytes = Buffer.from(wire, 'base64');
    bytes[5]! ^= 1;
    await expect(send(bytes.toString('base64'), true)).rejects.toThrow();
  });
});

describe('a transaction of version 1', () => {
  test('lands, and is shown only to clients that support it', async () => {
    const signed = await sign(1, [transfer(7n)]);
    expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });
    const read = (maxSupportedTransactionVersion: 0 | 1) =>
      chain.rpc.getTransaction(signed.signature, { encoding: 'json', maxSupportedTransactionVersion }).send();
    expect(await read(1)).toMatchObject({ version: 1, meta: { err: null } });
    await expect(read(0)).rejects.toThrow();
    const history = await chain.rpc.getSignaturesForAddress(chain.net.treasury).send();
    expect(history.map(({ signature }) => signature)).toContain(signed.signature);
  });

  test('is kept across a restart', async () => {
    const signed = await sign(1, [transfer(8n)]);
    await chain.sendAndFinalize(signed);
    const before = (await chain.rpc.getBalance(chain.net.treasury).send()).value;
    await chain.restart();
    expect((await chain.rpc.getSignatureStatuses([signed.signature]).send()).value[0]).toMatchObject({
      err: null,
    });
    expect((await chain.rpc.getBalance(chain.net.treasury).send()).value).toBe(before);
  });

  test('is dropped when its fee payer has no money', async () => {
    const poor = await generateKeyPairSigner();
    await expectDropped(await sign(1, [transfer(1n, poor)], undefined, poor), /no record of a prior credit/);
  });
});

test('400 transactions with random bytes changed do not stop the chain', async () => {
  const original = Buffer.from((await sign(0, [transfer(9n)])).wire, 'base64');
  for (let seed = 0; seed < 400; seed++) {
    const random = createHash('sha512').update(`mutation ${seed}`).digest();
    const bytes = Buffer.from(original);
    for (let change = 0; change <= random[0]! % 4; change++) {
      // Every second change spares the signatures, so that it reaches the message.
      const start = change % 2 === 0 ? 65 : 0;
      bytes[start + (random.readUInt16LE(2 + 4 * change) % (bytes.length - start))] = random[4 + 4 * change]!;
    }
    const cut = random[40]! % 8 === 0 ? random[41]! % bytes.length : bytes.length;
    await send(bytes.subarray(0, cut).toString('base64'), seed % 2 === 0).catch(() => undefined);
  }
});

test('failed transactions and dropped ones leave a chain that a restart does not change', async () => {
  const payer = await chain.newWallet();
  const fresh = (await generateKeyPairSigner()).address;
  const sent: Signature[] = [];
  // Keeps the thread busy, so that answers and what they tell about drift apart.
  const load = setInterval(() => {
    for (const endMs = performance.now() + 20; performance.now() < endMs; );
  }, 30);
  for (let round = 0n; round < 24n; round++) {
    const tooMuch = transfer(10n ** 15n + round, payer);
    const belowRent = getTransferSolInstruction({ source: payer, destination: fresh, amount: 1n + round });
    const failing = await signInstructions(chain.rpc, payer, [round % 2n === 0n ? tooMuch : belowRent]);
    sent.push(await send(failing.wire, true));
  }
  clearInterval(load);
  const balance = async () => (await chain.rpc.getBalance(payer.address).send()).value;
  const before = await balance();
  const { value: statuses } = await chain.rpc.getSignatureStatuses(sent).send();
  const landed = statuses.filter((status) => status !== null).length;
  expect(landed).toBeGreaterThanOrEqual(12);
  expect(before).toBe(10_000_000_000n - BigInt(landed) * 5_000n);
  await chain.restart();
  expect(await balance()).toBe(before);
});

async function expectDropped(signed: SignedTransaction, reason: RegExp): Promise<void> {
  expect(await send(signed.wire, true)).toBe(signed.signature);
  expect((await chain.rpc.getSignatureStatuses([signed.signature]).send()).value).toEqual([null]);
  const config = { encoding: 'json', maxSupportedTransactionVersion: 1 } as const;
  expect(await chain.rpc.getTransaction(signed.signature, config).send()).toBeNull();
  await expect(send(signed.wire, false)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(reason) },
  });
}

function send(wire: string, skipPreflight: boolean): Promise<Signature> {
  const transaction = wire as Base64EncodedWireTransaction;
  return chain.rpc.sendTransaction(transaction, { encoding: 'base64', skipPreflight }).send();
}

function transfer(amount = 1n, source: KeyPairSigner = rich): Instruction {
  return getTransferSolInstruction({ source, destination: chain.net.treasury, amount });
}

async function sign(
  version: 0 | 1,
  instructions: readonly Instruction[],
  blockhash?: Blockhash,
  feePayer = rich,
): Promise<SignedTransaction> {
  const { value: latest } = await chain.rpc.getLatestBlockhash().send();
  const lifetime = blockhash === undefined ? latest : { ...latest, blockhash };
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
    (unbound) => setTransactionMessageLifetimeUsingBlockhash(lifetime, unbound),
    (bound) => appendTransactionMessageInstructions(instructions, bound),
  );
  return signForSending(message);
}
