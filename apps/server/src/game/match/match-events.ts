import type { ArenaEvent } from '@engulf/sim/events';
import type { PlayerId } from '@engulf/sim/players';
import { rewardOf } from '../board/reward.ts';
import type { BountyMove } from '../ports.ts';
import { endGame } from './game-over.ts';
import { type Match, report } from './match.ts';
import { addBot, nameOf, removeBot } from './roster.ts';
import { addSpoils, takeSpoils } from './spoils.ts';

/** Turns what a step reports into money moves and messages, in the order in which it happened. */
export function handleEvents(match: Match, events: readonly ArenaEvent[]): void {
  const moves: BountyMove[] = [];
  const passMovesOn = () => {
    if (moves.length > 0) match.money.move(moves.splice(0));
  };
  for (const event of events) {
    if (endsAnEntry(event)) passMovesOn();
    moves.push(...movesOf(match, event));
    handleEvent(match, event);
  }
  passMovesOn();
}

function endsAnEntry({ type }: ArenaEvent): boolean {
  return type === 'killed' || type === 'exited' || type === 'departed' || type === 'bountyReturned';
}

/** Notional money is not posted. Where money is real there are no bots, so everybody has an entry. */
function movesOf({ lobby, roster }: Match, event: ArenaEvent): BountyMove[] {
  if (lobby.isFree) return [];
  const entryOf = (player: PlayerId) => {
    const participant = roster.byPlayer.get(player);
    if (!participant) throw new Error(`Player ${player} carries money but has no entry`);
    return participant.seat.entryId;
  };
  if (event.type === 'cellEaten' && event.bountyMoved > 0n) {
    return [{ from: entryOf(event.prey), to: entryOf(event.eater), amount: event.bountyMoved }];
  }
  if (event.type === 'spillShared') {
    return event.players.map((player) => ({ from: 'spill', to: entryOf(player), amount: event.each }));
  }
  return [];
}

function handleEvent(match: Match, event: ArenaEvent): void {
  const { roster } = match;
  switch (event.type) {
    case 'spawned':
      welcome(match, event.player, event.isBot);
      return;
    case 'cellEaten':
      addSpoils(match.spoils, event.prey, event.eater, event.bountyMoved);
      return;
    case 'killed':
      announceKill(match, event.killer, event.victim);
      leave(match, event.victim, { kind: 'killed', amount: 0n, massMilli: event.massMilli });
      return;
    case 'exited':
      leave(match, event.player, { kind: 'cashout', amount: event.bounty, massMilli: event.massMilli });
      return;
    case 'departed':
      if (roster.byPlayer.has(event.player)) {
        report(match, {
          type: 'disconnect',
          timestamp: Date.now(),
          playerName: nameOf(roster, event.player),
        });
      }
      leave(match, event.player, { kind: 'forfeit', amount: event.refund, massMilli: event.massMilli });
      return;
    case 'bountyReturned':
      leave(match, event.player, { kind: event.reason, amount: event.bounty, massMilli: event.massMilli });
      return;
    case 'closing':
      report(match, {
        type: 'lobby_closing',
        timestamp: Date.now(),
        minutesRemaining: Math.ceil(event.secondsLeft / 60),
      });
      return;
    case 'ended':
      report(match, { type: 'lobby_closed', timestamp: Date.now() });
  }
}

function welcome(match: Match, player: PlayerId, isBot: boolean): void {
  const { roster, world } = match;
  if (isBot) addBot(roster, player);
  const name = nameOf(roster, player);
  match.announce('playerJoin', { name, isBot, totalPlayers: world.players.livingCount });
  if (!isBot) report(match, { type: 'join', timestamp: Date.now(), playerName: name });
}

function announceKill(match: Match, killer: PlayerId, victim: PlayerId): void {
  const { roster, lobby } = match;
  const timestamp = Date.now();
  const reward = rewardOf(lobby, takeSpoils(match.spoils, victim, killer));
  const victimName = nameOf(roster, victim);
  report(match, { type: 'kill', timestamp, killerName: nameOf(roster, killer), victimName, reward });
  roster.byPlayer
    .get(killer)
    ?.connection?.send('KO', { victim: victimName, killType: 'eaten', reward, timestamp });
}

function leave(match: Match, player: PlayerId, outcome: Parameters<typeof endGame>[2]): void {
  const { roster, world } = match;
  const participant = roster.byPlayer.get(player);
  takeSpoils(match.spoils, player, undefined);
  match.announce('playerDisconnect', {
    name: nameOf(roster, player),
    isBot: !participant,
    totalPlayers: world.players.livingCount,
  });
  if (participant) void endGame(match, participant, outcome);
  else removeBot(roster, player);
}
