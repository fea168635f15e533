import { err, ok, type Result } from '@engulf/domain/errors/result';
import { z } from 'zod';
import type { PublicPart } from '../keys.ts';
import {
  type Rules,
  rulesBeforeBeacons,
  rulesBeforeNewcomers,
  rulesBeforeTide,
  standardRules,
} from '../rules.ts';
import {
  type ByteReader,
  type ByteWriter,
  createReader,
  createWriter,
  DamagedBytes,
  damaged,
  expectEnd,
  type RecordingFault,
  readByte,
  readBytes,
  readText,
  readU64,
  writeByte,
  writeBytes,
  writeText,
  writeU64,
  writtenBytes,
} from './bytes.ts';
import { KNOWN_VERSIONS, RECORDING_VERSION } from './frames.ts';

/** How a match began. The secret is not in it: it is published apart, when the match has ended. */
export type RecordingHeader = {
  readonly matchId: string;
  readonly commitment: Uint8Array;
  readonly publicPart: PublicPart | null;
  /** What earlier matches of the lobby left. */
  readonly spill: bigint;
  readonly rules: Rules;
  readonly bond: Bond;
};

/** What ties a match to things outside of its recording. Known since version 5. */
export type Bond = {
  /** The program that played it: its version, and its commit if that is known. */
  readonly release: string;
  /** The Ed25519 key that signs receipts while the match runs; null if nobody does. */
  readonly receiptKey: Uint8Array | null;
  /** What published the commitment on the chain; null if nothing did. */
  readonly anchor: Anchor | null;
};

type Anchor = {
  /** Of the transaction, 64 bytes. */
  readonly signature: Uint8Array;
  /** The commitment before this one in the same lobby; for its first, a hash of the lobby (terms.ts). */
  readonly previous: Uint8Array;
};

/** Of a match before version 5, and of one in a test. */
export const NO_BOND: Bond = { release: '', receiptKey: null, anchor: null };

/** A header that was read. */
export type ReadHeader = RecordingHeader & {
  /** The rules as they were written, which is how they are published. */
  readonly rulesText: string;
};

const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_RULES_CHARS = 20_000;
const MAX_RELEASE_CHARS = 64;
const FIRST_WITH_BOND = 5;

/** The rules as text, and the version, if they are older. */
export function writeHeader(
  header: RecordingHeader,
  rules = rulesText(header.rules),
  version = RECORDING_VERSION,
): Uint8Array {
  const writer = createWriter();
  writeText(writer, header.matchId);
  writeBytes(writer, header.commitment);
  writeByte(writer, header.publicPart ? 1 : 0);
  if (header.publicPart) {
    writeU64(writer, header.publicPart.slot);
    writeBytes(writer, header.publicPart.blockhash);
  }
  writeU64(writer, header.spill);
  writeText(writer, rules);
  if (version >= FIRST_WITH_BOND) writeBond(writer, header.bond);
  return writtenBytes(writer);
}

function writeBond(writer: ByteWriter, { release, receiptKey, anchor }: Bond): void {
  writeText(writer, release);
  writeOptional(writer, receiptKey);
  writeOptional(writer, anchor?.signature ?? null);
  if (anchor) writeBytes(writer, anchor.previous);
}

function readBond(reader: ByteReader): Bond {
  const release = readText(reader, MAX_RELEASE_CHARS);
  const receiptKey = readOptional(reader, HASH_BYTES);
  const signature = readOptional(reader, SIGNATURE_BYTES);
  const anchor = signature && { signature, previous: readBytes(reader, HASH_BYTES) };
  return { release, receiptKey, anchor };
}

function writeOptional(writer: ByteWriter, bytes: Uint8Array | null): void {
  writeByte(writer, bytes ? 1 : 0);
  if (bytes) writeBytes(writer, bytes);
}

function readOptional(reader: ByteReader, length: number): Uint8Array | null {
  const isThere = readByte(reader);
  if (isThere > 1) damaged(reader, 'an unknown flag');
  return isThere === 1 ? readBytes(reader, length) : null;
}

/** Reads bytes of unknown origin. */
export function readHeader(body: Uint8Array, version: number): Result<ReadHeader, RecordingFault> {
  const reader = createReader(body);
  try {
    const matchId = readText(reader, 64);
    if (!/^[\w-]{1,64}$/.test(matchId)) damaged(reader, 'not the id of a match');
    const commitment = readBytes(reader, HASH_BYTES);
    const hasPublicPart = readByte(reader);
    if (hasPublicPart > 1) damaged(reader, 'an unknown flag');
    const publicPart =
      hasPublicPart === 1 ? { slot: readU64(reader), blockhash: readBytes(reader, HASH_BYTES) } : null;
    const spill = readU64(reader);
    const rulesText = readText(reader, MAX_RULES_CHARS);
    const rules = readRules(rulesText, version);
    if (!rules.ok) return damaged(reader, rules.error);
    const bond = version >= FIRST_WITH_BOND ? readBond(reader) : NO_BOND;
    expectEnd(reader);
    return ok({ matchId, commitment, publicPart, spill, rules: rules.value, rulesText, bond });
  } catch (error) {
    if (error instanceof DamagedBytes) return err(error.fault);
    throw error;
  }
}

/** JSON, with bigints as digits that end in `n`. */
export function rulesText(rules: Rules): string {
  return JSON.stringify(rules, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Rules as text, with the newest version that reads them. */
export function readRulesText(text: string): { readonly rules: Rules; readonly version: number } | undefined {
  for (const version of KNOWN_VERSIONS.toReversed()) {
    const rules = readRules(text, version);
    if (rules.ok) return { rules: rules.value, version };
  }
  return undefined;
}

/** Rules that a version did not have yet are those that its matches were played by. */
function readRules(text: string, version: number): Result<Rules, string> {
  try {
    const written: unknown = JSON.parse(text);
    const { schema, missing } = asOf(version);
    const { success, data } = schema.safeParse(written);
    if (!success) return err('these are not the rules of an arena');
    const rules = { ...missing, ...(data as Rules) };
    return isPlayable(rules) ? ok(rules) : err('these are not the rules of an arena');
  } catch {
    return err('the rules are not JSON');
  }
}

const amount = z
  .string()
  .regex(/^\d{1,20}n$/)
  .transform((text) => BigInt(text.slice(0, -1)));

// Built from the standard rules, so that a new rule cannot be forgotten here.
const rulesSchema = rulesLike(standardRules);
const { beacons: _beacons, epochs: _epochs, ...standardBeforeBeacons } = standardRules;
const { newcomers: _newcomers, ...standardBeforeNewcomers } = standardBeforeBeacons;
const {
  size: _size,
  tide: _tide,
  truce: _truce,
  spill: _spill,
  ...standardBeforeTide
} = standardBeforeNewcomers;
const schemaBeforeBeacons = rulesLike(standardBeforeBeacons);
const schemaBeforeNewcomers = rulesLike(standardBeforeNewcomers);
const schemaBeforeTide = rulesLike(standardBeforeTide);

/** The rules that a version wrote, and what it was played by without writing it. */
function asOf(version: number): { readonly schema: z.ZodType; readonly missing: Partial<Rules> } {
  const beforeNewcomers = { ...rulesBeforeNewcomers, ...rulesBeforeBeacons };
  if (version < 4) return { schema: schemaBeforeTide, missing: { ...rulesBeforeTide, ...beforeNewcomers } };
  if (version < 5) return { schema: schemaBeforeNewcomers, missing: beforeNewcomers };
  if (version < 6) return { schema: schemaBeforeBeacons, missing: rulesBeforeBeacons };
  return { schema: rulesSchema, missing: {} };
}

/** More than any match has would only waste the reader's memory and time. */
const LIMITS: readonly (readonly [read: (rules: Rules) => number, least: number, most: number])[] = [
  [({ worldSize }) => worldSize, 1, 65_280],
  [({ stepsPerSecond }) => stepsPerSecond, 1, 1_000],
  [({ maxPlayers, maxCellsPerPlayer }) => maxPlayers * maxCellsPerPlayer, 1, 65_535],
  [({ ejecting }) => ejecting.maxEjected, 0, 65_535],
  [({ spawn }) => spawn.candidatePoints, 0, 1_000],
  [({ portals }) => portals.maxCount, 0, 1_000],
  [({ portals }) => portals.minCount, 0, 1_000],
  [({ viruses }) => viruses.count, 0, 10_000],
  [({ cells }) => cells.maxMass, 1, 1_000_000],
  [({ size }) => size.factor, 0.001, 1_000],
  [({ size }) => size.eighths, 3, 4],
  [({ truce }) => Math.min(truce.maxSeconds, truce.parleySeconds), 0, 3_600],
  [({ spill }) => Math.min(spill.leastLiving, spill.everySeconds), 0, 3_600],
  [({ spill }) => spill.part, 1, 1_000_000],
  [({ spill }) => spill.leastShare, 0, 1_000_000_000],
  [({ beacons }) => Math.min(...Object.values(beacons)), 0, 3_600],
  [({ beacons }) => Math.max(...Object.values(beacons)), 0, 3_600],
  // Each epoch takes a hash for every one after it.
  [({ epochs }) => epochs.seconds || 1, 1, 86_400],
  [({ newcomers }) => newcomers.companions, 0, 100],
  [({ newcomers }) => Math.min(...Object.values(newcomers)), 0, 1_000_000],
  [({ tide, worldSize }) => tide.leastSize / worldSize, 0, 1_000],
  [({ tide }) => Math.min(tide.risingSpeed, tide.fallingSpeed, tide.noticeSeconds), 0, 1_000_000],
];

function isPlayable(rules: Rules): boolean {
  const { size, spill, beacons } = rules;
  if (![size.eighths, spill.part, spill.leastShare, beacons.leastSlots].every(Number.isInteger)) return false;
  return LIMITS.every(([read, least, most]) => read(rules) >= least && read(rules) <= most);
}

function rulesLike(standard: object): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, value] of Object.entries(standard)) {
    if (typeof value === 'object') shape[name] = rulesLike(value);
    else shape[name] = typeof value === 'bigint' ? amount : z.number();
  }
  return z.strictObject(shape);
}
