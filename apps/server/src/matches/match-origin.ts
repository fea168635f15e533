import type { Block } from '@engulf/chain/node/public-block';
import type { PublicPart } from '@engulf/sim/keys';
import type { Bond } from '@engulf/sim/recording/header';
import { getBase58Encoder } from '@solana/kit';
import type { Context } from '../platform/context.ts';
import type { MatchRow } from '../platform/database/games.ts';
import { readCommit } from './anchors.ts';

export function publicPartOf({ slot, blockhash }: Pick<Block, 'slot' | 'blockhash'>): PublicPart {
  return { slot, blockhash: new Uint8Array(getBase58Encoder().encode(blockhash)) };
}

/** What the recording of a match says about it. */
export async function readBond(
  { db, release }: Pick<Context, 'db' | 'release'>,
  { id, receiptKey, previousCommitment }: MatchRow,
): Promise<Bond> {
  const commit = receiptKey === null ? undefined : await readCommit({ db }, id);
  const isThere = commit?.signature && commit.slot !== null;
  return {
    release,
    receiptKey: receiptKey === null ? null : fromHex(receiptKey),
    anchor: isThere
      ? {
          signature: new Uint8Array(getBase58Encoder().encode(commit.signature!)),
          previous: fromHex(previousCommitment!),
        }
      : null,
  };
}

function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'));
}
