import { setTimeout as sleep } from 'node:timers/promises';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import type { Localnet } from '@engulf/localnet/start-localnet';
import type { Lobby } from '@engulf/protocol/lobby';
import {
  type Address,
  createSolanaRpc,
  generateKeyPairSigner,
  type KeyPairSigner,
  signBytes,
} from '@solana/kit';
import { createSignInMessage } from '@solana/wallet-standard-util';
import { createInputsKey, type InputsKeys } from './sign-inputs.ts';

/** What there is around a page: the site and the chain. */
export type World = {
  readonly url: string;
  readonly chain: Pick<Localnet, 'rpcUrl' | 'programId' | 'treasury'> & { readonly fund: Fund };
  accessCode(): string;
};

type Fund = (wallet: Address, grant: { readonly lamports: bigint }) => Promise<unknown>;

// biome-ignore lint/suspicious/noExplicitAny: the answers of the calls differ
export type Body = any;

/** A browser with a wallet. It keeps asking while the server is down, as a patient player would. */
export type Page = {
  readonly name: string;
  readonly wallet: KeyPairSigner;
  readonly signatures: string[];
  readonly inputsKeys: InputsKeys;
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<Body>;
  pay(lobby: Lobby): Promise<string>;
};

const RETRY_MS = 400;
const GRANT_LAMPORTS = 20_000_000_000n;

export async function openPage(home: World, name: string, isOver: () => boolean): Promise<Page> {
  const wallet = await generateKeyPairSigner();
  await home.chain.fund(wallet.address, { lamports: GRANT_LAMPORTS });
  const rpc = createSolanaRpc(home.chain.rpcUrl);
  let cookie = '';

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
    for (;;) {
      try {
        const response = await fetch(home.url + path, {
          method,
          headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(15_000),
        });
        cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
        return { httpStatus: response.status, ...((await response.json()) as object) };
      } catch (error) {
        if (isOver()) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  const page: Page = {
    name,
    wallet,
    signatures: [],
    inputsKeys: new Map(),
    call,
    pay: async (lobby) => {
      const join = await buildJoinTransaction({
        rpc,
        programId: home.chain.programId,
        lobbyId: BigInt(lobby.lobbyId!),
        player: wallet,
        entryFee: BigInt(lobby.entryFee),
        treasury: home.chain.treasury,
        inputsKey: createInputsKey(page.inputsKeys),
      });
      if (!join.ok) throw new Error(join.error.code);
      const signed = await signForSending(join.value);
      page.signatures.push(signed.signature);
      await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
      await awaitFinality({ rpc, ...signed, pollMs: 50 });
      return signed.signature;
    },
  };
  // A kill may come between the question and the answer, which is good for one sign-in.
  while (!(await signIn())) await sleep(RETRY_MS);
  await call('POST', '/api/referral/submit', { code: home.accessCode() });
  return page;

  async function signIn(): Promise<boolean> {
    const { httpStatus: _, ...input } = await call('GET', '/api/auth/nonce');
    const message = createSignInMessage({ ...input, address: wallet.address });
    const { httpStatus } = await call('POST', '/api/auth/sign-in', {
      address: wallet.address,
      signedMessage: Buffer.from(message).toString('base64'),
      signature: Buffer.from(await signBytes(wallet.keyPair.privateKey, message)).toString('base64'),
    });
    return httpStatus === 200;
  }
}
