import { type Address, address, type Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { failure, RPC_ERROR } from '../node/json-rpc.ts';
import type { AnswerMethod } from '../rpc/journal-answers.ts';
import type { LocalnetKeys } from './keys.ts';
import type { SendInstructions } from './send-instructions.ts';

/** In base units of SOL and of the test token. */
type FaucetGrant = {
  readonly lamports?: bigint;
  readonly tokens?: bigint;
};

export type Fund = (wallet: Address, grant: FaucetGrant) => Promise<Signature>;

/** Gives out test money without limit. Callers that expose it must limit it. */
export function createFaucet(keys: LocalnetKeys, send: SendInstructions): Fund {
  const { faucet } = keys;
  const mint = keys['test-token-mint'].address;
  return async (wallet, { lamports = 0n, tokens = 0n }) => {
    const instructions = [];
    if (lamports > 0n) {
      instructions.push(getTransferSolInstruction({ source: faucet, destination: wallet, amount: lamports }));
    }
    if (tokens > 0n) {
      const [account] = await findAssociatedTokenPda({
        owner: wallet,
        mint,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      });
      instructions.push(
        getCreateAssociatedTokenIdempotentInstruction({ payer: faucet, ata: account, owner: wallet, mint }),
        getMintToInstruction({ mint, token: account, mintAuthority: faucet, amount: tokens }),
      );
    }
    if (instructions.length === 0) throw new RangeError('A grant needs lamports, tokens or both');
    const { signature } = await send(faucet, instructions);
    return signature as Signature;
  };
}

const MAX_AIRDROP_LAMPORTS = 100_000_000_000n;

/** Answers `requestAirdrop`, so that Solana's command line works with this chain. */
export function airdropAnswer(fund: Fund): AnswerMethod {
  return async ([wallet, amount]) => {
    const lamports = typeof amount === 'number' && Number.isSafeInteger(amount) ? BigInt(amount) : 0n;
    if (lamports <= 0n || lamports > MAX_AIRDROP_LAMPORTS) {
      return failure(RPC_ERROR.invalidParams, `An airdrop is 1 to ${MAX_AIRDROP_LAMPORTS} lamports`);
    }
    const signature = await fund(address(String(wallet)), { lamports });
    return { resultJson: JSON.stringify(signature) };
  };
}
