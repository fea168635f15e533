import { compact, DECIDING_SLOTS } from '@engulf/chain/anchors/anchor-memo';
import { buildAnchorMessage } from '@engulf/chain/anchors/anchor-message';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { MEMO_PROGRAM } from '@engulf/chain/payouts/claim-message';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { firstPrevious, termsHash } from '@engulf/sim/recording/terms';
import {
  appendTransactionMessageInstructions,
  getAddressEncoder,
  getUtf8Encoder,
  type Instruction,
} from '@solana/kit';
import { type ExampleChain, MATCHES } from './example-chain.ts';
import type { TransactionExample } from './transaction-examples.ts';

/** What the match was bound to: the rules and the receipt key of its recording. */
const TERMS = { rules: '{"stepsPerSecond":25}', receiptKey: toHex(numberedKey(25)) } as const;

/** The texts are put together here, and not by the code that reads them. */
export async function anchorExamples(on: ExampleChain): Promise<TransactionExample[]> {
  const signer = on.net.anchor.address;
  const lobby = new Uint8Array(getAddressEncoder().encode(on.sol.address));
  const terms = toHex(termsHash({ lobby, rulesText: TERMS.rules, receiptKey: numberedKey(25) }));
  const previous = toHex(firstPrevious(lobby));
  const { first, second, finalHash } = MATCHES;
  const words = (...hashes: string[]) => hashes.map(compact).join(' ');
  const commit = `engulf1 commit ${words(first, terms, previous)}`;
  const close = `engulf1 close ${words(first, finalHash)} 42`;
  const committed = await land(on, commit);
  return [
    {
      what: 'the commit of the first match of a lobby',
      ...committed,
      anchor: {
        signer,
        memo: commit,
        kind: 'commit',
        commitment: first,
        terms,
        termsOf: TERMS,
        previous,
        targetSlot: `${BigInt(committed.answer.slot) + DECIDING_SLOTS}`,
      },
    },
    {
      what: 'a close',
      ...(await land(on, close)),
      anchor: { signer, memo: close, kind: 'close', commitment: first, finalHash, spill: '42' },
    },
    {
      what: 'a commit beside a second memo, which does not count',
      ...(await land(on, `engulf1 commit ${words(second, terms, first)}`, 'hello')),
      anchor: null,
    },
  ];
}

async function land({ rpc, net, sol, land }: ExampleChain, memo: string, ...others: string[]) {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = buildAnchorMessage({ signer: net.anchor, lobbyConfig: sol.address, memo, lifetime });
  const beside = others.map(
    (text): Instruction => ({ programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(text) }),
  );
  return land(await signForSending(appendTransactionMessageInstructions(beside, message)));
}
