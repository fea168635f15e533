import type { Address, GetSignaturesForAddressApi, GetTransactionApi, Rpc, Signature } from '@solana/kit';
import { type JoinPayment, readJoinPayments } from './join-payments.ts';

export type LobbyPaymentsRpc = Rpc<GetSignaturesForAddressApi & GetTransactionApi>;

/** A finalized transaction that touched a lobby, with the entries it paid for: often none, as for a payout. */
export type LobbyTransaction = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly payments: readonly JoinPayment[];
};

const PAGE_SIZE = 1000;

/**
 * The finalized transactions of a lobby after `after`, oldest first, so that the last one yielded can be stored as
 * the next `after`. It ends early where a node cannot show a transaction yet: skipping it would lose a payment.
 */
export async function* readLobbyTransactions(request: {
  readonly rpc: LobbyPaymentsRpc;
  readonly programId: Address;
  readonly lobbyConfig: Address;
  readonly after?: Signature | undefined;
  readonly pageSize?: number;
}): AsyncGenerator<LobbyTransaction> {
  const { rpc, programId, lobbyConfig } = request;
  for (const { signature, slot, isFailed } of await listSignatures(request)) {
    if (isFailed) {
      yield { signature, slot, payments: [] };
      continue;
    }
    const transaction = await rpc
      .getTransaction(signature, {
        commitment: 'finalized',
        encoding: 'base64',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    if (!transaction?.meta) return;
    const payments = readJoinPayments(transaction, programId);
    yield { signature, slot, payments: payments.filter((payment) => payment.lobbyConfig === lobbyConfig) };
  }
}

type Listed = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly isFailed: boolean;
};

/** Nodes list newest first and page backwards; what is needed is the other way round. */
async function listSignatures(request: Parameters<typeof readLobbyTransactions>[0]): Promise<Listed[]> {
  const { rpc, lobbyConfig, after, pageSize = PAGE_SIZE } = request;
  const listed: Listed[] = [];
  let before: Signature | undefined;
  for (;;) {
    const page = await rpc
      .getSignaturesForAddress(lobbyConfig, {
        commitment: 'finalized',
        limit: pageSize,
        ...(after && { until: after }),
        ...(before && { before }),
      })
      .send();
    listed.push(...page.map(({ signature, slot, err }) => ({ signature, slot, isFailed: err !== null })));
    before = page.at(-1)?.signature;
    if (page.length < pageSize) return listed.reverse();
  }
}
