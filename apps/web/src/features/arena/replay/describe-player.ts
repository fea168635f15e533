import { formatAmount } from '@engulf/domain/money/amount';
import { playerColourIndex } from '@engulf/domain/profile/colour';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { botName } from '@engulf/sim/bots/bot-names';
import type { PlayerId } from '@engulf/sim/players';
import type { Life } from './match-index.ts';
import { REPLAY_TEXT } from './text.ts';

/** Says who the players of a match are. A recording knows entries; their names come from the server. */
export function createDescriber(match: PublicMatch) {
  const { id: matchId, entries, tokenSymbol: symbol, tokenDecimals: decimals } = match;
  const people = new Map(entries.map(({ id, player }) => [id, player]));
  const known = new Map<PlayerId, { readonly name: string; readonly colour: number }>();

  return {
    learn(lives: readonly Life[]): void {
      for (const { player, entry } of lives) {
        const person = entry === undefined ? undefined : people.get(entry);
        const name = person?.name ?? (entry === undefined ? botName(matchId, player) : REPLAY_TEXT.unknown);
        known.set(player, { name, colour: person?.colour ?? playerColourIndex(person?.id ?? name) });
      }
    },
    describe(player: PlayerId, bounty: bigint) {
      const { name, colour } = known.get(player) ?? { name: REPLAY_TEXT.unknown, colour: 0 };
      return { name, colour, reward: formatAmount(bounty, { symbol, decimals }) };
    },
  };
}
