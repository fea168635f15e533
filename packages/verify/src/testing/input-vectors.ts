import { sign } from 'node:crypto';
import { writeInputsMemo } from '@engulf/chain/payments/inputs-memo';
import { commitmentOf, numberedKey, toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { createWriter, writtenBytes } from '@engulf/sim/recording/bytes';
import { writeCommand } from '@engulf/sim/recording/command-bytes';
import { hashRows, statementBytes } from '@engulf/sim/recording/input-statement';
import { signingKey } from './signing-players.ts';

/** A statement about inputs, the key that its payment names, and how both are written. */
export function inputs() {
  const { key, publicHex } = signingKey(11);
  const commitment = commitmentOf(numberedKey(1));
  const rows = [
    { tick: 100, x: 104, y: -48, splits: 0, ejects: 0 },
    { tick: 101, x: 108, y: -48, splits: 1, ejects: 0 },
    { tick: 109, x: 108, y: -48, splits: 0, ejects: 2 },
  ];
  const seen = Uint8Array.of(0b1110_0111, 0b11);
  const claim = { player: 65_536 as PlayerId, from: 100, to: 110, seen, delayTicks: 3 };
  const rowsHash = hashRows(rows);
  const bytes = statementBytes(commitment, claim, rowsHash);
  const signature = new Uint8Array(sign(null, bytes, key));
  const writer = createWriter();
  writeCommand(writer, { type: 'inputs', ...claim, signature });
  return {
    key: publicHex,
    memo: writeInputsMemo(publicHex),
    commitment: toHex(commitment),
    statement: { ...claim, seen: toHex(seen), signature: toHex(signature) },
    rows,
    rowsHash: toHex(rowsHash),
    signedBytes: toHex(bytes),
    command: toHex(writtenBytes(writer)),
  };
}
