import { memoText } from '@engulf/chain/node/memo-text';
import { MEMO_PROGRAM } from '@engulf/chain/payouts/claim-message';
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';

/** The memos of a transaction as nodes list them: `[5] hello; [3] you`. Null if it has none. */
export function memoOf(wire: Uint8Array): string | null {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message)) return null;
  const memos = message.instructions.flatMap(({ programAddressIndex, data }) =>
    message.staticAccounts[programAddressIndex] === MEMO_PROGRAM && data
      ? [`[${data.length}] ${memoText(data)}`]
      : [],
  );
  return memos.length === 0 ? null : memos.join('; ');
}
