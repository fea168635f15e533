import { err, ok, type Result } from '@engulf/domain/errors/result';
import { z } from 'zod';
import type { Command } from './commands.ts';
import type { PlayerId } from './players.ts';
import type { Recording } from './recording.ts';
import { type Rules, standardRules } from './rules.ts';

/*
 * A recording as text: JSON, with bigints as digits that end in `n`. Raise the format number when the text or the
 * meaning of a command changes, since a recording only replays under the code it was made for.
 */

const RECORDING_FORMAT = 1;
const COMMANDS_PER_PIECE = 2_000;

/**
 * Yields the text in pieces. The recording of a long match takes seconds to write, so the caller has to let other
 * work run between two pieces.
 */
export function* writeRecording({ seed, rules, spill, commands }: Recording): Generator<string, void> {
  const header = JSON.stringify({ format: RECORDING_FORMAT, seed, rules, spill }, writeBigInt);
  yield `${header.slice(0, -1)},"commands":[`;
  for (let start = 0; start < commands.length; start += COMMANDS_PER_PIECE) {
    const piece = JSON.stringify(commands.slice(start, start + COMMANDS_PER_PIECE), writeBigInt);
    yield (start === 0 ? '' : ',') + piece.slice(1, -1);
  }
  yield ']}';
}

/**
 * Reads text of unknown origin; the error says what is wrong with it.
 * @internal Only tests read recordings so far.
 */
export function readRecording(text: string): Result<Recording, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err('not JSON');
  }
  const { success, data, error } = recordingSchema.safeParse(value);
  if (!success) return err(z.prettifyError(error));
  const { format: _, ...recording } = data;
  return ok(recording);
}

function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

const amount = z
  .string()
  .regex(/^\d{1,20}n$/)
  .transform((text) => BigInt(text.slice(0, -1)));
const count = z.int().nonnegative();
const player = count.transform((id) => id as PlayerId);

const command = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('join'), stake: amount }),
  z.strictObject({ type: z.literal('steer'), player, x: z.number(), y: z.number() }),
  z.strictObject({ type: z.enum(['split', 'eject']), player }),
  z.strictObject({ type: z.enum(['disconnect', 'reconnect']), player }),
  z.strictObject({ type: z.literal('setPopulation'), count }),
  z.strictObject({ type: z.literal('close'), inSeconds: z.number() }),
  z.strictObject({ type: z.literal('end'), reason: z.enum(['closed', 'fault']) }),
]) satisfies z.ZodType<Command>;

const recordingSchema = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  seed: count,
  // Built from the standard rules, so that a new rule cannot be forgotten here.
  rules: rulesLike(standardRules) as z.ZodType<Rules>,
  spill: amount,
  commands: z.array(z.strictObject({ tick: count, command })),
});

function rulesLike(standard: object): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (typeof value === 'object') shape[name] = rulesLike(value);
    else shape[name] = typeof value === 'bigint' ? amount : z.number();
  }
  return z.strictObject(shape);
}
