import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { LEAST_RECORDED_SECONDS, statementBytes } from '@engulf/sim/recording/input-statement';
import {
  type Address,
  getBase58Decoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import { type ChainFacts, isSeen, type Unseen } from './chain-facts.ts';
import { unseenTexts } from './check-money.ts';
import { countOf, durationText, type Finding } from './checks.ts';
import { confirmedBy, presence, type Stretch, ticksIn, without } from './confirmed-ticks.ts';
import type { PlayerInputs } from './gather-inputs.ts';
import { fromHex, type KeptMatch, keptClaims } from './kept-receipts.ts';
import { isForMoney } from './match-money.ts';
import type { OpenedRecording } from './open-recording.ts';
import type { ReplayedMatch } from './replay-match.ts';

/** A player is silent for so long only if something is wrong: statements come every 30 seconds. */
const GAP_SECONDS = 45;
const MAX_NAMED = 12;

/** What a player's own signatures say about its inputs. */
type Confirmed = {
  readonly name: string;
  readonly share: number;
  readonly delayMs: number;
  readonly gaps: readonly Stretch[];
};

/**
 * Whether what players have signed about their inputs is what was recorded. The keys are those that their payments name on the
 * chain. What nobody has signed is not wrong: a key is voluntary, and a line may break.
 */
export async function checkInputs(
  match: PublicMatch,
  { header }: OpenedRecording,
  replayed: ReplayedMatch,
  chain: ChainFacts | undefined,
  kept: KeptMatch | undefined,
): Promise<Finding> {
  if (!isForMoney(match)) return { fits: 'no money depended on the inputs' };
  if (!(await canCheckSignatures())) return { fits: 'not checked', open: [UNABLE] };
  const { stepsPerSecond } = header.rules;
  const unseen: Unseen[] = [];
  const confirmed: Confirmed[] = [];
  let statements = 0;
  const keys: string[] = [];
  for (const entry of match.entries) {
    const played = replayed.entries.get(entry.id);
    if (!played) continue;
    const joins = entry.payment ? (chain?.joins.get(entry.payment.signature) ?? 'unread') : 'missing';
    if (!isSeen(joins)) {
      unseen.push(joins);
      continue;
    }
    const inputs = replayed.inputs.byPlayer.get(played.player);
    // All joins of a transaction share what it names.
    const key = joins.payments[0]?.inputsKey;
    const wrong = await findMisfit(entry, key, inputs, header.commitment);
    if (wrong) return { wrong };
    if (key === undefined) continue;
    keys.push(key);
    statements += inputs?.statements.length ?? 0;
    const left = played.leftTick ?? replayed.finalTick;
    confirmed.push(confirmationOf(entry, inputs, { from: played.tick, to: left }, stepsPerSecond));
  }
  const players = new Set([...replayed.entries.values()].map(({ player }) => player));
  for (const [player, inputs] of replayed.inputs.byPlayer) {
    const [first] = inputs.statements;
    if (first && !players.has(player))
      return {
        wrong: `a statement about inputs up to tick ${first.claim.to} is of a player without an entry`,
      };
  }
  const own = await checkKept(kept, keys, replayed, header);
  if (keys.length === 0)
    return { fits: 'no player has signed inputs', open: unseenTexts(unseen, 'payment'), notes: [] };
  return {
    fits: `${countOf(statements, 'signed statement')} of players about their inputs ${statements === 1 ? 'fits' : 'fit'}`,
    open: [...unseenTexts(unseen, 'payment'), ...own.open],
    notes: [describe(confirmed), ...gapsOf(confirmed, stepsPerSecond), ...own.notes],
  };
}

const UNABLE = 'this browser cannot check what players have signed: use a newer one';

/** Otherwise every statement would look forged. */
async function canCheckSignatures(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}

/** The room has checked all of it before. */
async function findMisfit(
  { id }: MatchEntry,
  key: string | undefined,
  inputs: PlayerInputs | undefined,
  commitment: Uint8Array,
): Promise<string | undefined> {
  let last = 0;
  for (const { claim, rowsHash } of inputs?.statements ?? []) {
    const of = `a statement about the inputs of entry ${id} up to tick ${claim.to}`;
    if (key === undefined) return `${of} is signed by a key that its payment does not name`;
    if (!rowsHash || claim.from < last) return `${of} speaks of what the recording does not have`;
    if (!(await isSigned(key, claim.signature, statementBytes(commitment, claim, rowsHash))))
      return `${of} is not of these inputs, or not signed by the key that the payment names`;
    last = claim.to;
  }
  return undefined;
}

async function isSigned(keyHex: string, signature: Uint8Array, bytes: Uint8Array): Promise<boolean> {
  try {
    const key = await getPublicKeyFromAddress(getBase58Decoder().decode(fromHex(keyHex)) as Address);
    return await verifySignature(key, signature as SignatureBytes, bytes);
  } catch {
    return false;
  }
}

function confirmationOf(
  { player }: MatchEntry,
  inputs: PlayerInputs | undefined,
  { from, to }: Stretch,
  stepsPerSecond: number,
): Confirmed {
  const claims = (inputs?.statements ?? []).map(({ claim }) => claim);
  const present = presence(from, to, inputs?.breaks ?? []);
  const missing = without(present, confirmedBy(claims, stepsPerSecond));
  const delays = claims.map(({ delayTicks }) => delayTicks).toSorted((a, b) => a - b);
  return {
    name: player.name,
    share: 1 - ticksIn(missing) / Math.max(1, ticksIn(present)),
    delayMs: ((delays[delays.length >> 1] ?? 0) * 1000) / stepsPerSecond,
    gaps: missing.filter((gap) => gap.to - gap.from > GAP_SECONDS * stepsPerSecond),
  };
}

/** Those of whom the least is confirmed come first. */
function describe(confirmed: readonly Confirmed[]): string {
  const named = confirmed
    .toSorted((a, b) => a.share - b.share)
    .slice(0, MAX_NAMED)
    .map(({ name, share, delayMs }) => {
      const delay = delayMs > 0 ? ` (taken after ${Math.round(delayMs)} ms)` : '';
      return `${Math.floor(share * 100)} % of ${name}'s${delay}`;
    });
  const rest = confirmed.length > MAX_NAMED ? ` and more of ${confirmed.length - MAX_NAMED} others'` : '';
  return `inputs confirmed by the players' own signatures: ${named.join(', ')}${rest}`;
}

function gapsOf(confirmed: readonly Confirmed[], stepsPerSecond: number): string[] {
  const text = (tick: number) => durationText(Math.round(tick / stepsPerSecond));
  return confirmed
    .flatMap(({ name, gaps }) =>
      gaps.map(({ from, to }) => `nothing that ${name} signed confirms ${text(from)} to ${text(to)}`),
    )
    .slice(0, MAX_NAMED);
}

/** What the visitor has signed, beside what was recorded. Only a lie of the browser could be as wrong as the recording. */
async function checkKept(
  kept: KeptMatch | undefined,
  keys: readonly string[],
  { inputs }: ReplayedMatch,
  { commitment, rules: { stepsPerSecond } }: OpenedRecording['header'],
): Promise<{ open: string[]; notes: string[] }> {
  let [missing, changed] = [0, 0];
  for (const { statement, rowsHash } of kept ? keptClaims(kept) : []) {
    const held = inputs.kept.find(({ claim }) => claim === statement);
    const bytes = statementBytes(commitment, statement, rowsHash);
    const signed = await Promise.all(keys.map((key) => isSigned(key, statement.signature, bytes)));
    if (!held || !signed.includes(true)) continue;
    const recorded = inputs.byPlayer.get(statement.player)?.statements ?? [];
    const isShort = statement.to - statement.from < LEAST_RECORDED_SECONDS * stepsPerSecond;
    if (!held.rowsHash?.every((byte, index) => byte === rowsHash[index])) changed++;
    else if (isShort) continue;
    else if (!recorded.some(({ claim }) => claim.from === statement.from && claim.to === statement.to))
      missing++;
  }
  return {
    open:
      changed > 0
        ? [
            `${countOf(changed, 'statement')} that you signed: the recording has other inputs there than you sent`,
          ]
        : [],
    notes: missing > 0 ? [`${countOf(missing, 'statement')} that you signed and that fit are not in it`] : [],
  };
}
