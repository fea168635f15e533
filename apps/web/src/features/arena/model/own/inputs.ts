/*
 * What the player has done and the room has not answered yet. Every input has a number; the room says with each
 * update which was the latest it had taken, so it is known in which step each of them took effect.
 */

export type Inputs = {
  /** Sent but not acknowledged, oldest first. */
  readonly underWay: Input[];
  /** Pointers since the last one that was sent, oldest first. The newest will be sent, the others never. */
  readonly drafts: Input[];
  latestNumber: number;
  /** Room time minus local time at which the latest inputs took effect, in milliseconds. */
  readonly leadsMs: number[];
};

export type Input = {
  readonly type: 'steer' | 'split' | 'eject';
  readonly number: number;
  readonly atMs: number;
  readonly x: number;
  readonly y: number;
};

/** Inputs are numbered modulo this. */
const NUMBERS = 256;
/** About two seconds of a moving pointer. */
const KEPT_LEADS = 41;
/** The transit of the first input, until it is known. */
const ASSUMED_LEAD_MS = 60;
/** More than a fast mouse reports before the newest is sent. */
const MAX_DRAFTS = 32;
/** An input that is not acknowledged for this long was lost with its connection. */
const LOST_AFTER_MS = 3_000;

export function createInputs(): Inputs {
  return { underWay: [], drafts: [], latestNumber: 0, leadsMs: [] };
}

/** Records a pointer that is not sent yet. */
export function draftPointer({ drafts, latestNumber }: Inputs, x: number, y: number, nowMs: number): void {
  drafts.push({ type: 'steer', number: latestNumber, atMs: nowMs, x, y });
  if (drafts.length > MAX_DRAFTS) drafts.shift();
}

/** Numbers an input that is being sent. */
export function noteSent(inputs: Inputs, type: Input['type'], x: number, y: number, nowMs: number): number {
  inputs.latestNumber = (inputs.latestNumber + 1) % NUMBERS;
  inputs.underWay.push({ type, number: inputs.latestNumber, atMs: nowMs, x, y });
  if (type === 'steer') inputs.drafts.length = 0;
  return inputs.latestNumber;
}

/** Removes and returns the inputs up to `number`, which took effect in the step to `tick`. */
export function acknowledge(
  inputs: Inputs,
  number: number,
  tick: number,
  stepMs: number,
  nowMs: number,
): Input[] {
  const { underWay, leadsMs } = inputs;
  const taken = underWay.splice(0, underWay.findLastIndex((input) => input.number === number) + 1);
  // Somewhere in the step before the tick, so most likely in its middle.
  for (const { atMs } of taken) leadsMs.push((tick - 0.5) * stepMs - atMs);
  leadsMs.splice(0, leadsMs.length - KEPT_LEADS);
  while (underWay.length > 0 && underWay[0]!.atMs < nowMs - LOST_AFTER_MS) underWay.shift();
  return taken;
}

/**
 * How far ahead of local time the room's clock is when an input arrives there. Never so little that the state that
 * came on the fastest update lies in the future.
 */
export function leadMs({ leadsMs }: Inputs, fastestUpdateMs: number): number {
  if (leadsMs.length === 0) return ASSUMED_LEAD_MS - fastestUpdateMs;
  const median = leadsMs.toSorted((a, b) => a - b)[leadsMs.length >> 1]!;
  return Math.max(median, -fastestUpdateMs);
}
