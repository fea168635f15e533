import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { writeAnchorMemo } from '@engulf/chain/anchors/anchor-memo';
import { commitmentOf, numberedKey, toHex } from '@engulf/sim/keys';
import { receiptBytes } from '@engulf/sim/recording/receipt';
import { firstPrevious, termsHash } from '@engulf/sim/recording/terms';

const COMMITMENT = commitmentOf(numberedKey(1));

/** What is written on the chain before and after a match. */
export function anchors() {
  const lobby = numberedKey(4);
  const receiptKey = numberedKey(5);
  const rules = '{"stepsPerSecond":25}';
  const [commitment, terms, previous] = [
    COMMITMENT,
    termsHash({ lobby, rulesText: rules, receiptKey }),
    firstPrevious(lobby),
  ].map(toHex) as [string, string, string];
  const finalHash = toHex(numberedKey(6));
  return {
    lobby: toHex(lobby),
    receiptKey: toHex(receiptKey),
    rules,
    commitment,
    terms,
    previousOfTheFirst: previous,
    commit: writeAnchorMemo({ kind: 'commit', commitment, terms, previous }),
    finalHash,
    close: writeAnchorMemo({ kind: 'close', commitment, finalHash, spill: 42n }),
    closeOfOneThatNobodyPlayed: writeAnchorMemo({
      kind: 'close',
      commitment,
      finalHash: undefined,
      spill: 42n,
    }),
  };
}

/** An Ed25519 private key before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function receipt() {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, numberedKey(7)]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const commitment = COMMITMENT;
  const about = { part: 3, tick: 250, slot: 123_456_999n };
  const [chain, blockhash] = [numberedKey(8), numberedKey(9)];
  const bytes = receiptBytes(commitment, { ...about, chain, blockhash });
  return {
    receiptKey: Buffer.from(x!, 'base64url').toString('hex'),
    commitment: toHex(commitment),
    receipt: {
      ...about,
      slot: Number(about.slot),
      chain: toHex(chain),
      blockhash: toHex(blockhash),
      signature: sign(null, bytes, key).toString('hex'),
    },
    signedBytes: toHex(bytes),
  };
}
