import { refundDeparted } from '../mechanics/bounty.ts';
import { spawnPlayer } from '../mechanics/spawning.ts';
import { isKind } from '../newcomers.ts';
import { addPlayer } from '../players.ts';
import type { World } from '../world.ts';
import { companionsWanted, isNearPerson, lonelyNewcomer, spawnCompanion } from './companions.ts';

/** Keeps the number of players at `botTarget`: bots join one by one and make room for people. */
export function populateBots(world: World): void {
  const { players, clock, rules, stepRules, money } = world;
  // In the step that ends the match, a bot that joined now would never be paid out.
  if (clock.isEnded) return;
  const people = players.livingCount - players.botCount;
  const wanted = Math.max(0, clock.botTarget - people) + companionsWanted(world);
  if (players.botCount > wanted) {
    const leaver = smallestBot(world);
    if (leaver >= 0) refundDeparted(world, leaver);
  } else if (players.botCount < wanted && clock.tick % stepRules.botJoinTicks === 0) {
    const bot = addPlayer(players, rules.bots.stake, true);
    if (bot < 0) return;
    money.paidIn += rules.bots.stake;
    const newcomer = lonelyNewcomer(world);
    if (newcomer < 0) spawnPlayer(world, bot);
    else spawnCompanion(world, bot, newcomer);
  }
}

/** Where people are spared, none leaves before their eyes. */
function smallestBot(world: World): number {
  const { players, rules } = world;
  const isTactful = isKind(rules);
  let smallest = -1;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || !players.isBot[player]) continue;
    if (isTactful && isNearPerson(world, player)) continue;
    if (smallest < 0 || players.massMilli[player]! < players.massMilli[smallest]!) smallest = player;
  }
  return smallest;
}
