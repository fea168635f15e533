import { confirmedTransaction, signatureOf } from '@engulf/chain/testing/confirmed-transaction';
import { foreignCall, joinCall, PROGRAM_ID, transferCall } from '@engulf/chain/testing/join-calls';
import { testAddress } from '@engulf/chain/testing/people';
import type { TransactionExample } from './transaction-examples.ts';

/** Two joins, one of which another program has called, between transfers that are no stakes. */
export function madeUpJoin(): TransactionExample {
  const [player, other, lobby, treasury] = [1, 2, 3, 4].map(testAddress) as [Wallet, Wallet, Wallet, Wallet];
  const payment = { lobbyConfig: lobby, treasury, tokenMint: undefined, platformFee: 50n, stake: 950n };
  const join = (wallet: Wallet) => joinCall({ ...payment, player: wallet, entryFee: 1_000n });
  const stray = transferCall(player, lobby, 7n);
  const calls = [foreignCall(1, [stray, join(player), foreignCall(2, [stray]), stray]), join(other), stray];
  const answer = { slot: 7, blockTime: 1_700_000_000, version: 0, ...confirmedTransaction(player, calls) };
  const paid = { lobby, mint: null, stake: '950', inputsKey: null };
  return {
    what: 'two joins, the first by an inner instruction, beside transfers that do not count',
    madeUp: { programId: PROGRAM_ID },
    signature: signatureOf(answer),
    answer,
    joins: [player, other].map((wallet) => ({ wallet, ...paid })),
  };
}

type Wallet = ReturnType<typeof testAddress>;
