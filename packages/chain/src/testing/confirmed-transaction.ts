import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { signAs } from './people.ts';

/** An instruction and the calls it made. */
export type Call = Instruction & {
  readonly calls: readonly Call[];
};

/** A node's answer for a transaction that made these calls. */
export function confirmedTransaction(
  feePayer: Address,
  calls: readonly Call[],
  options: { err?: object; withoutStackHeights?: boolean } = {},
): ConfirmedTransaction {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: feePayer as string as Blockhash, lastValidBlockHeight: 1n },
        paid,
      ),
    (timed) => appendTransactionMessageInstructions(calls.map(withAccountsOfCalls), timed),
  );
  const transaction = signByAll(compileTransaction(message));
  const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const keys = 'staticAccounts' in compiled ? compiled.staticAccounts : [];
  const encode = ({ programAddress, accounts = [], data = new Uint8Array() }: Call, stackHeight: number) => ({
    programIdIndex: keys.indexOf(programAddress),
    accounts: accounts.map(({ address }) => keys.indexOf(address)),
    data: getBase58Decoder().decode(data),
    ...(options.withoutStackHeights ? {} : { stackHeight }),
  });
  const flatten = (inner: readonly Call[], stackHeight: number): ReturnType<typeof encode>[] =>
    inner.flatMap((call) => [encode(call, stackHeight), ...flatten(call.calls, stackHeight + 1)]);
  const innerInstructions = calls
    .map((call, index) => ({ index, instructions: flatten(call.calls, 2) }))
    .filter(({ instructions }) => instructions.length > 0);
  return {
    meta: { err: options.err ?? null, innerInstructions, loadedAddresses: { readonly: [], writable: [] } },
    transaction: [getBase64Decoder().decode(getTransactionEncoder().encode(transaction)), 'base64'],
  } as unknown as ConfirmedTransaction;
}

function signByAll(transaction: Transaction): Transaction {
  const signed = Object.keys(transaction.signatures).map((signer) => [
    signer,
    signAs(signer as Address, transaction.messageBytes),
  ]);
  return { ...transaction, signatures: Object.fromEntries(signed) };
}

/** By which the chain names it. */
export function signatureOf({ transaction }: Pick<ConfirmedTransaction, 'transaction'>): Signature {
  const { signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]!));
  return getBase58Decoder().decode(Object.values(signatures)[0]!) as Signature;
}

/** The chain requires that a caller is given the called program and its accounts. */
function withAccountsOfCalls({ calls, ...call }: Call): Instruction {
  const below = calls.flatMap((inner) => {
    const { programAddress, accounts = [] } = withAccountsOfCalls(inner);
    return [...accounts, { address: programAddress, role: AccountRole.READONLY }];
  });
  const accounts = [...(call.accounts ?? []), ...below].map((account) => ({
    address: account.address,
    role: account.role,
  }));
  return { ...call, accounts };
}
