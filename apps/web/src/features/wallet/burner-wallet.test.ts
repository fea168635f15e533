// @vitest-environment happy-dom
import {
  address,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit';
import type { SolanaSignInFeature, SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import { verifySignIn } from '@solana/wallet-standard-util';
import { getWallets } from '@wallet-standard/app';
import type { Wallet } from '@wallet-standard/base';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createSettings } from '../../shared/settings.ts';
import { memoryStorage } from '../../testing/fixtures.ts';
import { registerBurnerWallet } from './burner-wallet.ts';
import { isUsable } from './wallet-list.ts';

const storage = memoryStorage();
const fund = vi.fn(async () => {});
let wallet: Wallet;

beforeAll(async () => {
  await registerBurnerWallet(createSettings(storage), fund);
  wallet = getWallets().get()[0]!;
});

describe('the burner wallet', () => {
  test('is listed as a test wallet, on the local network only', () => {
    expect(wallet.name).toBe('Burner (test only)');
    expect(isUsable(wallet, 'solana:localnet')).toBe(true);
    expect(isUsable(wallet, 'solana:mainnet')).toBe(false);
  });

  test('signs in verifiably and requests funds once', async () => {
    const { signIn } = (wallet.features as SolanaSignInFeature)['solana:signIn'];
    const input = { domain: '127.0.0.1:3000', nonce: 'abcdefgh12345678', statement: 'Log in' };
    const [output] = await signIn(input);
    expect(verifySignIn(input, output!)).toBe(true);
    expect(verifySignIn({ ...input, nonce: 'anothernonce1234' }, output!)).toBe(false);
    await signIn(input);
    expect(fund).toHaveBeenCalledExactlyOnceWith(wallet.accounts[0]!.address);
  });

  test('signs transactions', async () => {
    const account = wallet.accounts[0]!;
    const payer = address(account.address);
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (built) => setTransactionMessageFeePayerSigner(createNoopSigner(payer), built),
      (built) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash('11111111111111111111111111111111'), lastValidBlockHeight: 1n },
          built,
        ),
    );
    const transaction = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
    const { signTransaction } = (wallet.features as SolanaSignTransactionFeature)['solana:signTransaction'];
    const [answer] = await signTransaction({ account, transaction });
    const signed = getTransactionDecoder().decode(answer!.signedTransaction);
    const key = await getPublicKeyFromAddress(payer);
    expect(await verifySignature(key, signed.signatures[payer]!, signed.messageBytes)).toBe(true);
  });

  test('keeps its key over a reload and replaces an invalid one', async () => {
    const seed = storage.read('burner_seed');
    await registerBurnerWallet(createSettings(storage), fund);
    expect(storage.read('burner_seed')).toBe(seed);
    storage.write('burner_seed', 'nonsense');
    await registerBurnerWallet(createSettings(storage), fund);
    expect(storage.read('burner_seed')).toMatch(/^[0-9a-f]{64}$/);
    expect(storage.read('burner_seed')).not.toBe(seed);
  });
});
