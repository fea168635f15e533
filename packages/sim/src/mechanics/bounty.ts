import { eatenShare, forfeitRefund, spillShare } from '@engulf/domain/money/bounty';
import { removePlayer } from '../cells.ts';
import type { EndReason } from '../events.ts';
import { type PlayerId, playerId } from '../players.ts';
import type { World } from '../world.ts';

/*
 * Every movement of money in a world. A bounty moves with the eaten mass; what leaves the world is counted in
 * `paidOut`; what a leaver forfeits stays in `spill` until it can be shared among living players.
 */

/** What the living carry and what waits to be shared. */
export function moneyInPlay({ players, money }: World): bigint {
  let sum = money.spill;
  for (let player = 0; player < players.top; player++)
    if (players.isAlive[player]) sum += players.bounty[player]!;
  return sum;
}

/** The part of a bounty that goes with one eaten cell; the last cell takes all of it. */
export function moveBounty(
  world: World,
  victim: number,
  eater: number,
  cellMassMilli: number,
  totalMassMilli: number,
): bigint {
  const { bounty } = world.players;
  const moved = eatenShare(bounty[victim]!, cellMassMilli, totalMassMilli);
  bounty[victim]! -= moved;
  bounty[eater]! += moved;
  return moved;
}

/** A player leaves through a portal with the whole bounty. */
export function cashOut(world: World, player: number): void {
  const { players, events } = world;
  const id = playerId(players, player);
  const massMilli = players.massMilli[player]!;
  events.push({ type: 'exited', player: id, bounty: payOutAll(world, player), massMilli });
  removePlayer(world, player);
}

/** Removes a disconnected player: up to the stake is refunded, the rest spills. */
export function refundDeparted(world: World, player: number): void {
  const { players, events, money, stepRules } = world;
  const bounty = players.bounty[player]!;
  const massMilli = players.massMilli[player]!;
  const refund = forfeitRefund({
    bounty,
    stake: players.stake[player]!,
    mass: massMilli,
    spawnMass: stepRules.spawnMassMilli,
  });
  const spilled = bounty - refund;
  players.bounty[player] = 0n;
  money.paidOut += refund;
  money.spill += spilled;
  events.push({ type: 'departed', player: playerId(players, player), refund, spilled, massMilli });
  removePlayer(world, player);
}

/** The match ends while the player lives: the whole bounty goes back. */
export function returnBounty(world: World, player: number, reason: EndReason): void {
  const { players, events } = world;
  const id = playerId(players, player);
  const massMilli = players.massMilli[player]!;
  events.push({ type: 'bountyReturned', player: id, bounty: payOutAll(world, player), massMilli, reason });
  removePlayer(world, player);
}

/** Shares the spill equally among the living, little by little. The rest stays, and so does all of it if too few live. */
export function shareSpill(world: World): void {
  const { players, money, rules, stepRules, clock, events } = world;
  if (money.spill === 0n || clock.tick % stepRules.spillTicks !== 0) return;
  if (players.livingCount < rules.spill.leastLiving) return;
  const { each } = spillShare(spillDue(world), players.livingCount);
  if (each === 0n) return;
  money.spill -= each * BigInt(players.livingCount);
  const receivers: PlayerId[] = [];
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player]) continue;
    players.bounty[player]! += each;
    receivers.push(playerId(players, player));
  }
  events.push({ type: 'spillShared', each, players: receivers });
}

/** What is shared now. */
function spillDue({ players, money, rules }: World): bigint {
  const { part, leastShare } = rules.spill;
  const due = money.spill / BigInt(part);
  return due < BigInt(leastShare) * BigInt(players.livingCount) ? money.spill : due;
}

function payOutAll(world: World, player: number): bigint {
  const bounty = world.players.bounty[player]!;
  world.players.bounty[player] = 0n;
  world.money.paidOut += bounty;
  return bounty;
}
