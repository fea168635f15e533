import { request as httpRequest } from 'node:http';
import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import type { Lobby } from '@engulf/protocol/lobby';
import { address, createSolanaRpc, generateKeyPairSigner, type KeyPairSigner, signBytes } from '@solana/kit';
import { createSignInMessage } from '@solana/wallet-standard-util';

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
  readonly headers: Headers;
};

/** Does over HTTP what the page does, with its own wallet and cookie. */
export type PageClient = {
  readonly wallet: KeyPairSigner;
  cookie: string | undefined;
  get(path: string): Promise<Answer>;
  send(
    method: 'POST' | 'PUT',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  signIn(): Promise<Answer>;
  /** Builds, signs and sends the join transaction; resolves to its signature. */
  pay(lobby: Lobby): Promise<string>;
};

/** From the machine's own address, or one of the loopback addresses. */
export async function createPageClient(url: string, localAddress?: string): Promise<PageClient> {
  const wallet = await generateKeyPairSigner();
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetchFrom(localAddress, url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(client.cookie && { cookie: client.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie) client.cookie = cookie;
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  };
  const client: PageClient = {
    wallet,
    cookie: undefined,
    get: (path) => request('GET', path),
    send: request,
    signIn: async () => {
      const { body: input } = await request('GET', '/api/auth/nonce');
      return request('POST', '/api/auth/sign-in', await signInBody(wallet, input));
    },
    pay: async (lobby) => {
      const { body: config } = await request('GET', '/api/config');
      return payEntry(wallet, config, lobby);
    },
  };
  return client;
}

export async function signInBody(wallet: KeyPairSigner, input: object) {
  const message = createSignInMessage({ ...(input as { domain: string }), address: wallet.address });
  const signature = await signBytes(wallet.keyPair.privateKey, message);
  return {
    address: wallet.address,
    signedMessage: Buffer.from(message).toString('base64'),
    signature: Buffer.from(signature).toString('base64'),
  };
}

async function payEntry(
  wallet: KeyPairSigner,
  config: { rpcUrl: string; programId: string },
  lobby: Lobby,
): Promise<string> {
  const rpc = createSolanaRpc(config.rpcUrl);
  const programId = address(config.programId);
  const globalConfig = await readGlobalConfig(rpc, programId);
  const join = await buildJoinTransaction({
    rpc,
    programId,
    lobbyId: BigInt(lobby.lobbyId!),
    player: wallet,
    entryFee: BigInt(lobby.entryFee),
    treasury: globalConfig!.platformTreasury,
  });
  if (!join.ok) throw new Error(join.error.code);
  const signed = await signForSending(join.value);
  await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  return signed.signature;
}

type Asked = { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };

function fetchFrom(localAddress: string | undefined, url: string, asked: Asked): Promise<Response> {
  if (localAddress === undefined) return fetch(url, asked);
  return new Promise((resolve, reject) => {
    const { method, headers, body } = asked;
    const sent = httpRequest(url, { method, headers, localAddress, agent: false }, async (response) => {
      const text = (await response.toArray()).join('');
      const pairs = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
        values!.map((value): [string, string] => [name, value]),
      );
      resolve(new Response(text === '' ? null : text, { status: response.statusCode!, headers: pairs }));
    });
    sent.on('error', reject).end(body);
  });
}
