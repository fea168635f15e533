import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { MAX_U64 } from '@engulf/domain/money/u64';
import { changeCellMass, primaryCell } from './cells.ts';
import type { EndReason } from './events.ts';
import { pledge, takeBeacon } from './mechanics/beacons.ts';
import { moneyInPlay } from './mechanics/bounty.ts';
import { endMatch } from './mechanics/leaving.ts';
import { shelter } from './mechanics/newcomers.ts';
import { spawnPlayer } from './mechanics/spawning.ts';
import { endTruce } from './mechanics/truces.ts';
import { isKind } from './newcomers.ts';
import { addPlayer, CONNECTED, findPlayer, type PlayerId, playerId } from './players.ts';
import { quantisePointer } from './pointer.ts';
import type { InputStatement } from './recording/input-statement.ts';
import { MILLI } from './rules.ts';
import { isTruce } from './truce.ts';
import type { World } from './world.ts';

/** Everything that can be done to a world between two steps. Plain data, so that a match can be recorded. */
export type Command =
  /** The entry is only noted in the recording: it says whose player this is. A newcomer is sheltered for a while. */
  | { readonly type: 'join'; readonly stake: bigint; readonly entry?: EntryId; readonly isNewcomer?: boolean }
  /** The pointer, in world units from the player's centre. */
  | { readonly type: 'steer'; readonly player: PlayerId; readonly x: number; readonly y: number }
  | { readonly type: 'split' | 'eject'; readonly player: PlayerId }
  /** Also for leaving and forfeiting: the body stays for the grace period, then it is removed. */
  | { readonly type: 'disconnect' | 'reconnect'; readonly player: PlayerId }
  /** Mass out of nothing, for tests. A paid match with this in its recording does not pass the check. */
  | { readonly type: 'testMass'; readonly player: PlayerId }
  | { readonly type: 'setPopulation'; readonly count: number }
  /** Begins a truce, or lengthens or shortens the one that there is: 0 ends it. */
  | { readonly type: 'truce'; readonly seconds: number }
  /** Names the slot that decides a wave of portals, from the newest slot that is known. */
  | { readonly type: 'pledge'; readonly wave: number; readonly newest: bigint; readonly decides: bigint }
  /** The block that decides it. */
  | {
      readonly type: 'beacon';
      readonly wave: number;
      readonly slot: bigint;
      readonly blockhash: Uint8Array;
    }
  /** Changes nothing: what a player has signed about its inputs, for the recording. */
  | ({ readonly type: 'inputs' } & InputStatement)
  | { readonly type: 'close'; readonly inSeconds: number }
  | { readonly type: 'end'; readonly reason: EndReason };

type Refusal =
  | 'worldEnded'
  | 'worldFull'
  | 'unknownPlayer'
  | 'notConnected'
  | 'alreadyConnected'
  | 'notFinite'
  | 'outOfRange';

export type Applied =
  | { readonly ok: true; readonly player: PlayerId | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

const TEST_MASS_MILLI = 1000 * MILLI;

/** Validates a command and applies it. A refused command changes nothing. */
export function applyCommand(world: World, command: Command): Applied {
  if (world.clock.isEnded) return refused('worldEnded');
  switch (command.type) {
    case 'join':
      return join(world, command.stake, command.isNewcomer === true);
    case 'setPopulation':
      if (!isWholeWithin(command.count, world.rules.maxPlayers)) return refused('outOfRange');
      world.clock.botTarget = command.count;
      return DONE;
    case 'truce':
      return callTruce(world, command.seconds);
    case 'pledge':
      return pledge(world, command) ? DONE : refused('outOfRange');
    case 'beacon':
      return takeBeacon(world, command) ? DONE : refused('outOfRange');
    case 'inputs':
      return DONE;
    case 'close':
      return close(world, command.inSeconds);
    case 'end':
      endMatch(world, command.reason);
      return DONE;
    default:
      return applyToPlayer(world, command);
  }
}

type PlayerCommand = Exclude<Extract<Command, { readonly player: PlayerId }>, { readonly type: 'inputs' }>;

function applyToPlayer(world: World, command: PlayerCommand): Applied {
  const { players, rules, stepRules, clock } = world;
  const player = findPlayer(players, command.player);
  if (player < 0) return refused('unknownPlayer');
  const isConnected = players.departsAtTick[player] === CONNECTED;
  if (command.type === 'reconnect') {
    if (isConnected) return refused('alreadyConnected');
    players.departsAtTick[player] = CONNECTED;
    return DONE;
  }
  if (!isConnected) return refused('notConnected');
  switch (command.type) {
    case 'steer': {
      const { x, y } = command;
      if (!Number.isFinite(x) || !Number.isFinite(y)) return refused('notFinite');
      const limit = rules.steering.maxOffset;
      if (Math.abs(x) > limit || Math.abs(y) > limit) return refused('outOfRange');
      players.offsetX[player] = quantisePointer(x);
      players.offsetY[player] = quantisePointer(y);
      return DONE;
    }
    case 'split':
      queue(players.queuedSplits, player, rules.splitting.maxQueued);
      return DONE;
    case 'eject':
      queue(players.queuedEjects, player, rules.ejecting.maxQueued);
      return DONE;
    case 'testMass':
      changeCellMass(world, primaryCell(world, player), TEST_MASS_MILLI);
      return DONE;
    case 'disconnect':
      players.departsAtTick[player] = clock.tick + stepRules.departureGraceTicks;
      players.queuedSplits[player] = 0;
      players.queuedEjects[player] = 0;
      return DONE;
  }
}

function join(world: World, stake: bigint, isNewcomer: boolean): Applied {
  const { players, money, rules } = world;
  if (isNewcomer && !isKind(rules)) return refused('outOfRange');
  // One player may end up with all the money in a world, so it must fit one bounty. What has left it does not count.
  if (stake < 0n || moneyInPlay(world) + stake > MAX_U64) return refused('outOfRange');
  const player = addPlayer(players, stake, false);
  if (player < 0) return refused('worldFull');
  money.paidIn += stake;
  spawnPlayer(world, player);
  if (isNewcomer) shelter(world, player);
  return { ok: true, player: playerId(players, player) };
}

function callTruce(world: World, seconds: number): Applied {
  const { truce, clock, rules, events } = world;
  if (!Number.isFinite(seconds)) return refused('notFinite');
  if (seconds < 0 || seconds > rules.truce.maxSeconds) return refused('outOfRange');
  if (seconds === 0) {
    if (isTruce(truce)) endTruce(world);
    return DONE;
  }
  truce.endsAtTick = clock.tick + Math.round(seconds * rules.stepsPerSecond);
  events.push({ type: 'truce', secondsLeft: seconds });
  return DONE;
}

function close(world: World, inSeconds: number): Applied {
  const { clock, rules, events } = world;
  if (!Number.isFinite(inSeconds)) return refused('notFinite');
  if (inSeconds < 0 || inSeconds > 86_400) return refused('outOfRange');
  clock.closesAtTick = clock.tick + Math.round(inSeconds * rules.stepsPerSecond);
  events.push({ type: 'closing', secondsLeft: inSeconds });
  return DONE;
}

const DONE: Applied = { ok: true, player: undefined };

function refused(refusal: Refusal): Applied {
  return { ok: false, refusal };
}

function queue(queued: Uint8Array, player: number, limit: number): void {
  queued[player] = Math.min(limit, queued[player]! + 1);
}

function isWholeWithin(value: number, limit: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= limit;
}
