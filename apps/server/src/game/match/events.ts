import type { ArenaEvent } from '@engulf/sim/events';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { populationOf, rewardOf } from '../board/standings.ts';
import type { BountyMove, EntryOutcome, LivedLife } from '../ports.ts';
import { publishFeed, report } from './live-feed.ts';
import type { Match } from './match.ts';
import { settleResult } from './results.ts';
import { addBot, nameOf, type Participant, removeBot } from './roster.ts';

/** Turns the events of a step into money moves, results and messages, in the order in which they happened. */
export function handleEvents(match: Match, events: readonly ArenaEvent[]): void {
  for (const event of events) {
    recordMoves(match, event);
    handleEvent(match, event);
  }
}

/** Notional money is not recorded. Where money is real there are no bots, so every player has an entry. */
function recordMoves({ lobby, roster, deps }: Match, event: ArenaEvent): void {
  if (lobby.isFree) return;
  const entryOf = (player: PlayerId) => {
    const participant = roster.byPlayer.get(player);
    if (!participant) throw new Error(`Player ${player} carries money but has no entry`);
    return participant.seat.entryId;
  };
  const moves: BountyMove[] = [];
  if (event.type === 'cellEaten' && event.bountyMoved > 0n) {
    moves.push({ from: entryOf(event.prey), to: entryOf(event.eater), amount: event.bountyMoved });
  } else if (event.type === 'spillShared') {
    for (const player of event.players)
      moves.push({ from: 'spill', to: entryOf(player), amount: event.each });
  }
  if (moves.length > 0) deps.ports.recordBountyMoves(lobby.id, moves);
}

function handleEvent(match: Match, event: ArenaEvent): void {
  const { roster, feed } = match;
  switch (event.type) {
    case 'spawned':
      announceJoin(match, event.player, event.isBot);
      return;
    case 'cellEaten':
      addLoot(match, event.prey, event.eater, event.bountyMoved);
      return;
    case 'killed':
      announceKill(match, event.killer, event.victim);
      removePlayer(
        match,
        event.victim,
        { kind: 'killed', amount: 0n, massMilli: event.massMilli },
        nameOf(roster, event.killer),
      );
      return;
    case 'exited':
      removePlayer(match, event.player, {
        kind: 'cashout',
        amount: event.bounty,
        massMilli: event.massMilli,
      });
      return;
    case 'departed':
      if (roster.byPlayer.has(event.player)) {
        report(feed, { type: 'disconnect', playerName: nameOf(roster, event.player) });
      }
      removePlayer(match, event.player, {
        kind: 'forfeit',
        amount: event.refund,
        massMilli: event.massMilli,
      });
      return;
    case 'bountyReturned':
      removePlayer(match, event.player, {
        kind: event.reason,
        amount: event.bounty,
        massMilli: event.massMilli,
      });
      return;
    case 'truce':
      feed.announce('serverMessage', { message: truceText(match, event.secondsLeft) });
      return;
    case 'closing':
      report(feed, { type: 'lobby_closing', minutesRemaining: Math.ceil(event.secondsLeft / 60) });
      return;
    case 'ended':
      report(feed, { type: 'lobby_closed' });
      publishFeed(feed);
  }
}

function truceText({ gathered, outage }: Match, secondsLeft: number): string {
  if (secondsLeft === 0) return 'The game goes on. Nobody can be eaten for a moment.';
  if (outage.awaited)
    return `Most players have lost their connection. Nobody can be eaten until they are back, for up to ${secondsLeft} s.`;
  if (!gathered)
    return `Everybody is here. The game begins in ${secondsLeft} s; nobody can be eaten until then.`;
  const missing = gathered.call.size - gathered.here.size;
  return `Waiting for ${missing} more. Nobody can be eaten until they are here, for up to ${secondsLeft} s.`;
}

function announceJoin({ roster, world, feed }: Match, player: PlayerId, isBot: boolean): void {
  if (isBot) addBot(roster, player);
  const name = nameOf(roster, player);
  feed.joined = { name, isBot, ...populationOf(world) };
  if (!isBot) report(feed, { type: 'join', playerName: name });
}

function announceKill({ roster, lobby, loot, feed }: Match, killer: PlayerId, victim: PlayerId): void {
  const reward = rewardOf(lobby, loot.get(victim)?.get(killer) ?? 0n);
  const victimName = nameOf(roster, victim);
  const killerName = nameOf(roster, killer);
  const { timestamp } = report(feed, { type: 'kill', killerName, victimName, reward });
  const winner = roster.byPlayer.get(killer);
  if (winner) winner.life.kills++;
  winner?.connection?.send('KO', { victim: victimName, killType: 'eaten', reward, timestamp });
}

function addLoot({ loot }: Match, prey: PlayerId, eater: PlayerId, amount: bigint): void {
  const taken = loot.get(prey) ?? new Map<PlayerId, bigint>();
  taken.set(eater, (taken.get(eater) ?? 0n) + amount);
  loot.set(prey, taken);
}

/** Peaks are looked at once a second, so the end counts as well. */
function livedBy({ world }: Match, { life }: Participant, { massMilli }: EntryOutcome): LivedLife {
  const { clock, rules } = world;
  return {
    peakMassMilli: Math.max(life.peakMassMilli, massMilli),
    seconds: Math.floor((clock.tick - life.bornTick) / rules.stepsPerSecond),
    kills: life.kills,
  };
}

/** Call once a second. */
export function notePeaks({ roster, world: { players } }: Match): void {
  for (const [player, { life }] of roster.byPlayer) {
    const slot = findPlayer(players, player);
    if (slot >= 0) life.peakMassMilli = Math.max(life.peakMassMilli, players.massMilli[slot]!);
  }
}

function removePlayer(
  match: Match,
  player: PlayerId,
  outcome: EntryOutcome,
  killer: string | null = null,
): void {
  const { roster, world, feed, loot } = match;
  const participant = roster.byPlayer.get(player);
  loot.delete(player);
  feed.left = { name: nameOf(roster, player), isBot: !participant, ...populationOf(world) };
  if (participant)
    settleResult(match.results, participant, outcome, killer, livedBy(match, participant, outcome));
  else removeBot(roster, player);
}
