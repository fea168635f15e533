import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getUtf8Encoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';

/** A memo of 190 characters takes about half of this. */
const COMPUTE_UNITS = 60_000;
/** 1,200 lamports beside the 5,000 for the signature. */
const COMPUTE_PRICE_MICRO_LAMPORTS = 20_000n;
/** What one costs at most. */
export const ANCHOR_LAMPORTS = 5_000n + (BigInt(COMPUTE_UNITS) * COMPUTE_PRICE_MICRO_LAMPORTS) / 1_000_000n;

/** A memo may name only signers, so a transfer of nothing names the lobby, under which the transaction is then listed. */
export function buildAnchorMessage(anchor: {
  readonly signer: TransactionSigner;
  readonly lobbyConfig: Address;
  readonly memo: string;
  readonly lifetime: { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
}) {
  const { signer, lobbyConfig, memo, lifetime } = anchor;
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(signer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) =>
      appendTransactionMessageInstructions(
        [
          getTransferSolInstruction({ source: signer, destination: lobbyConfig, amount: 0n }),
          { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(memo) },
        ],
        message,
      ),
    (message) => setTransactionMessageComputeUnitLimit(COMPUTE_UNITS, message),
    (message) => setTransactionMessageComputeUnitPrice(COMPUTE_PRICE_MICRO_LAMPORTS, message),
  );
}
