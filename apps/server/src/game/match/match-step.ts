import type { EndReason } from '@engulf/sim/events';
import { findPlayer } from '@engulf/sim/players';
import { applyRecorded } from '@engulf/sim/recording';
import { hashWorld } from '@engulf/sim/snapshot';
import { step } from '@engulf/sim/step';
import { countPeople, publishLive } from '../board/lobby-live.ts';
import { publishStandings } from '../board/scoreboard.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { countViewers, sendViews } from '../views/views.ts';
import { endGame } from './game-over.ts';
import { closeIn, type Match } from './match.ts';
import { handleEvents } from './match-events.ts';
import { applySteering } from './player-input.ts';
import { giveUnusedSeatsBack } from './seats.ts';

/** One tick of a match: moves the arena on, deals with what happened, and shows it to everybody. */
export function stepMatch(match: Match): void {
  const { world } = match;
  try {
    applySteering(match);
    handleEvents(match, step(world));
  } catch (error) {
    match.logger.fatal({ err: error, tick: world.clock.tick }, 'the arena failed');
    endMatch(match, 'fault');
  }
  sendViews(match.views, match.logger);
  if (world.clock.tick % world.rules.stepsPerSecond === 0) everySecond(match);
  if (world.clock.isEnded) match.finished ??= finishMatch(match);
}

/** Everyone alive gets the whole bounty back, whatever state the arena is in. */
export function endMatch(match: Match, reason: EndReason): void {
  const { world, roster } = match;
  try {
    applyRecorded(match.recorded, { type: 'end', reason });
    handleEvents(match, step(world));
  } catch (error) {
    match.logger.fatal({ err: error }, 'the arena could not even end');
  }
  for (const participant of roster.byEntry.values()) {
    if (participant.state !== 'playing') continue;
    const slot = findPlayer(world.players, participant.player!);
    const amount = slot < 0 ? 0n : world.players.bounty[slot]!;
    void endGame(match, participant, { kind: reason, amount, massMilli: 0 });
  }
  match.finished ??= finishMatch(match);
}

function everySecond(match: Match): void {
  publishStandings(match);
  giveUnusedSeatsBack(match);
  publishLive(match);
  endWhenDeserted(match);
  if (isLongEnough(match)) closeIn(match, ROOM_LIMITS.announceClosingSeconds);
}

function isLongEnough({ world: { clock, rules }, recorded }: Match): boolean {
  const ageSeconds = clock.tick / rules.stepsPerSecond;
  const { length: commands } = recorded.recording.commands;
  return ageSeconds > ROOM_LIMITS.maxMatchSeconds || commands > ROOM_LIMITS.maxMatchCommands;
}

function endWhenDeserted(match: Match): void {
  const { clock, rules } = match.world;
  const isDeserted =
    countPeople(match) === 0 && countViewers(match.views) === 0 && match.roster.byEntry.size > 0;
  if (!isDeserted) match.emptySinceTick = undefined;
  else match.emptySinceTick ??= clock.tick;
  const emptyTicks = clock.tick - (match.emptySinceTick ?? clock.tick);
  if (emptyTicks >= ROOM_LIMITS.idleMatchSeconds * rules.stepsPerSecond) endMatch(match, 'closed');
}

async function finishMatch(match: Match): Promise<void> {
  const { world, recorded, roster, ports } = match;
  giveUnusedSeatsBack(match);
  await match.money.drained();
  if (roster.byPlayer.size === 0) return;
  try {
    await ports.saveMatch({
      id: match.id,
      lobbyId: match.lobby.id,
      startedAt: match.startedAt,
      endedAt: new Date(),
      finalTick: world.clock.tick,
      worldHash: hashWorld(world),
      recording: recorded.recording,
      players: [...roster.byPlayer].map(([playerId, { seat }]) => ({ playerId, entryId: seat.entryId })),
    });
  } catch (error) {
    match.logger.error({ err: error }, 'a match was not saved');
  }
}
