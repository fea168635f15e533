import { AccountRole, type Address, createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { getJoinLobbyInstruction } from '../generated/instructions/joinLobby.ts';
import type { JoinPayment } from '../payments/join-payments.ts';
import type { Call } from './confirmed-transaction.ts';
import { testAddress } from './people.ts';

export const PROGRAM_ID = testAddress(1000);
const GLOBAL_CONFIG = testAddress(1001);

/** The call tree of a join that was executed as instructed. */
export function joinCall(payment: JoinPayment): Call {
  const { lobbyConfig, player, treasury, tokenMint, entryFee, platformFee, stake } = payment;
  const signer = createNoopSigner(player);
  const token = tokenMint && {
    playerTokenAccount: relatedAddress(player),
    treasuryTokenAccount: relatedAddress(treasury),
    rewardPoolTokenAccount: relatedAddress(lobbyConfig),
    tokenMint,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  };
  const join = getJoinLobbyInstruction(
    {
      globalConfig: GLOBAL_CONFIG,
      lobbyConfig,
      player: signer,
      platformTreasury: treasury,
      expectedEntryFeeAmount: entryFee,
      minStakeAmount: stake,
      ...token,
    },
    { programAddress: PROGRAM_ID },
  );
  const transfers = [
    { to: token?.treasuryTokenAccount ?? treasury, amount: platformFee },
    { to: token?.rewardPoolTokenAccount ?? lobbyConfig, amount: stake },
  ].filter(({ amount }) => amount > 0n);
  return {
    ...join,
    calls: transfers.map(({ to, amount }) =>
      token
        ? tokenTransferCall(token.playerTokenAccount, token.tokenMint, to, player, amount)
        : transferCall(player, to, amount),
    ),
  };
}

export function transferCall(from: Address, to: Address, amount: bigint): Call {
  const transfer = getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount });
  return { ...transfer, calls: [] };
}

/** A call of some other program, with the calls it made. */
export function foreignCall(number: number, calls: readonly Call[]): Call {
  const accounts = [{ address: testAddress(3000 + number), role: AccountRole.READONLY }];
  return { programAddress: testAddress(2000 + number), accounts, data: Uint8Array.of(1), calls };
}

function tokenTransferCall(
  source: Address,
  mint: Address,
  to: Address,
  owner: Address,
  amount: bigint,
): Call {
  const authority = createNoopSigner(owner);
  const transfer = getTransferCheckedInstruction({
    source,
    mint,
    destination: to,
    authority,
    amount,
    decimals: 6,
  });
  return { ...transfer, calls: [] };
}

/** Stands for the token account of an address. */
function relatedAddress(owner: Address): Address {
  return `${owner.slice(0, -1)}${owner.endsWith('2') ? '3' : '2'}` as Address;
}
