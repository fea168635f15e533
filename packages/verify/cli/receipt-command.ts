import { readFile } from 'node:fs/promises';
import { toHex } from '@engulf/sim/keys';
import { findContradiction, findFraud, keepSigned, paceOf } from '../src/check-receipts.ts';
import { type KeptMatch, keptMatchSchema } from '../src/kept-receipts.ts';
import { openRecording } from '../src/open-recording.ts';

/**
 * Compares receipts of a match with each other and, if there is one, with its recording. Needs no network. Returns the exit
 * code: 1 if they prove that the server has changed the recording.
 */
export async function receiptCommand(
  files: readonly string[],
  recordingFile: string | undefined,
): Promise<number> {
  const kept: KeptMatch[] = [];
  for (const file of files) kept.push(keptMatchSchema.parse(JSON.parse(await readFile(file, 'utf8'))));
  const [first] = kept;
  const opened = recordingFile === undefined ? undefined : await openRecording(await readFile(recordingFile));
  if (opened && !opened.ok) throw new Error(`The recording cannot be read: ${opened.error.problem}`);
  const header = opened?.value.header;
  const commitment = header ? toHex(header.commitment) : first!.commitment;
  if (kept.some((one) => one.commitment !== commitment))
    throw new Error('These are receipts of different matches.');
  const key = header?.bond.receiptKey ?? keyOf(kept);
  const receipts = await keepSigned({ commitment, receipts: kept.flatMap((one) => one.receipts) }, key);
  const unsigned = kept.flatMap((one) => one.receipts).length - receipts.length;
  if (unsigned > 0) console.log(`${unsigned} receipts are not signed by ${toHex(key)}: they prove nothing.`);
  const contradiction = findContradiction(receipts);
  const fraud = contradiction
    ? `the server signed two recordings of ${contradiction[0].part} parts`
    : opened?.ok && findFraud(receipts, opened.value);
  if (!fraud) {
    const pace = paceOf(receipts, header?.rules.stepsPerSecond ?? 25);
    console.log(`${receipts.length} receipts fit${opened ? ' the recording' : ' each other'}${pace}.`);
    return receipts.length > 0 ? 0 : 3;
  }
  console.log(`PROOF OF FRAUD: ${fraud}.`);
  console.log(`match ${first!.matchId}, commitment ${commitment}, receipt key ${toHex(key)}`);
  const shown = contradiction ?? receipts;
  for (const { part, tick, chain, slot, signature } of shown)
    console.log(`  part ${part}, tick ${tick}, slot ${slot}: hash ${chain}, signature ${signature}`);
  console.log(
    'Whoever has these lines can check the signatures. The commit of the match on the chain names the key.',
  );
  return 1;
}

function keyOf(kept: readonly KeptMatch[]): Uint8Array {
  const keys = new Set(kept.flatMap(({ receiptKey }) => (receiptKey === undefined ? [] : [receiptKey])));
  const [key] = keys;
  if (key === undefined)
    throw new Error('Name the recording, or put the receiptKey of the match into the file.');
  if (keys.size > 1) throw new Error('The files name different receipt keys.');
  return Uint8Array.from(Buffer.from(key, 'hex'));
}
