import type { Address, GetSignaturesForAddressApi, GetTransactionApi, Rpc, Signature } from '@solana/kit';
import { type JoinPayment, readJoinPayments } from './join-payments.ts';

/** A finalized transaction that touched a lobby. */
export type LobbyTransaction = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly isFailed: boolean;
  /** The entries it paid for in this lobby: often none, as for a payout. */
  readonly payments: readonly JoinPayment[];
};

const PAGE_SIZE = 1000;

/**
 * The finalized transactions of a lobby after `after`, oldest first, so that the last one handled can be stored as
 * the next `after`. Throws at a transaction that is listed but cannot be read: skipping it would lose a payment.
 */
export async function* readLobbyTransactions(request: {
  readonly rpc: Rpc<GetSignaturesForAddressApi & GetTransactionApi>;
  readonly programId: Address;
  readonly lobbyConfig: Address;
  readonly after?: Signature | undefined;
  readonly pageSize?: number;
}): AsyncGenerator<LobbyTransaction> {
  const { rpc, programId, lobbyConfig } = request;
  for (const { signature, slot, err } of await listSignatures(request)) {
    if (err !== null) {
      yield { signature, slot, isFailed: true, payments: [] };
      continue;
    }
    const transaction = await rpc
      .getTransaction(signature, {
        commitment: 'finalized',
        encoding: 'base64',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    if (!transaction?.meta) throw new Error(`${signature} is final but cannot be read`);
    const payments = readJoinPayments(transaction, programId).filter(
      (payment) => payment.lobbyConfig === lobbyConfig,
    );
    yield { signature, slot, isFailed: false, payments };
  }
}

/** Nodes list newest first and page backwards; this returns oldest first. */
async function listSignatures(request: Parameters<typeof readLobbyTransactions>[0]) {
  const { rpc, lobbyConfig, after, pageSize = PAGE_SIZE } = request;
  const listPage = (before: Signature | undefined) =>
    rpc
      .getSignaturesForAddress(lobbyConfig, {
        commitment: 'finalized',
        limit: pageSize,
        ...(after && { until: after }),
        ...(before && { before }),
      })
      .send();
  const listed = [...(await listPage(undefined))];
  for (let size = listed.length; size === pageSize; ) {
    const page = await listPage(listed.at(-1)?.signature);
    listed.push(...page);
    size = page.length;
  }
  return listed.reverse();
}
