/** What a node answers to `getTransaction` in base64, without what nobody needs to read it. */
export async function showTransaction(rpcUrl: string, signature: string): Promise<Answer> {
  const config = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 1 };
  const call = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, config] };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) });
  const { result } = (await response.json()) as { result: Answer | null };
  if (!result) throw new Error(`The chain does not show ${signature}`);
  const { slot, blockTime, version, meta, transaction } = result;
  return {
    slot,
    blockTime,
    version,
    meta: {
      err: meta.err,
      innerInstructions: meta.innerInstructions,
      loadedAddresses: meta.loadedAddresses,
      preBalances: meta.preBalances,
      postBalances: meta.postBalances,
      preTokenBalances: meta.preTokenBalances.map(shorten),
      postTokenBalances: meta.postTokenBalances.map(shorten),
    },
    transaction,
  };
}

type TokenBalance = {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
};

type Answer = {
  readonly slot: number;
  readonly blockTime: number;
  readonly version: number | 'legacy';
  readonly meta: {
    readonly err: object | null;
    readonly innerInstructions: readonly object[];
    readonly loadedAddresses: object;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances: readonly TokenBalance[];
    readonly postTokenBalances: readonly TokenBalance[];
  };
  readonly transaction: readonly [string, 'base64'];
};

function shorten({ accountIndex, mint, owner, uiTokenAmount: { amount, decimals } }: TokenBalance) {
  return { accountIndex, mint, owner, uiTokenAmount: { amount, decimals } };
}
