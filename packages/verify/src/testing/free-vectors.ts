import { createWorld } from '@engulf/sim/create-world';
import { commitmentOf, keysUpTo, lastSecret, numberedKey, secretOf, toHex } from '@engulf/sim/keys';
import { FIRST_LINK, writeFrame } from '@engulf/sim/recording/frames';
import { NO_BOND, rulesText, writeHeader } from '@engulf/sim/recording/header';
import { freeLobbyRules } from '@engulf/sim/rules';
import { hashState, saveWorld } from '@engulf/sim/snapshot';

/** A free match without a block, an anchor and receipts: its first frame, its keys, and the world that it begins with. */
export function freeMatch() {
  const known = lastSecret(numberedKey(1));
  const epoch = 2;
  const commitment = commitmentOf(secretOf(known, 0));
  const keyOf = keysUpTo(known, null);
  const rules = freeLobbyRules;
  const about = { matchId: '3f1e0c52-0b8e-4d53-9c39-6d9f2f0a7b11', spill: 0n };
  const bond = { ...NO_BOND, release: '0.1.0+example' };
  const body = writeHeader({ ...about, commitment, publicPart: null, rules, bond });
  const { bytes, link } = writeFrame(
    { kind: 'header', packing: 'plain', bodyLength: body.length, packed: body },
    FIRST_LINK,
  );
  return {
    frame: toHex(bytes),
    header: {
      ...about,
      commitment: toHex(commitment),
      slot: null,
      blockhash: null,
      rulesCharacters: rulesText(rules).length,
      ...bond,
    },
    chain: toHex(link.chain),
    secret: { epoch, secret: toHex(secretOf(known, epoch)) },
    keys: [0, 1, 2].map((number) => ({ epoch: number, key: toHex(keyOf(number)) })),
    startStateHash: toHex(hashState(saveWorld(createWorld({ key: keyOf, rules })))),
  };
}
