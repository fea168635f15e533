import { type PlayerId, slotOfId } from '../players.ts';

/** No longer than people's names may be. */
const BOT_NAMES = [
  'Blobert',
  'Amoebae',
  'Nomster',
  'Gulpy',
  'Mitosis',
  'Jellybean',
  'Wobbles',
  'Globulus',
  'Plasmo',
  'Nibbler',
  'Cytoplaz',
  'Squish',
  'Vacuole',
  'Ribosaur',
  'Munchkin',
  'Paramecia',
  'Goober',
  'Slurp',
  'Mochi',
  'Dumpling',
  'Osmosis',
  'Flagella',
  'BigGulp',
  'Snackrat',
  'Boba',
  'Pudding',
  'Cilia',
  'Gnasher',
  'Bubbles',
  'Lysosome',
  'Chompsky',
  'Tadpole',
  'Gelato',
  'Moldy',
  'Spore',
  'Diatom',
  'Krill',
  'Volvox',
  'Agarita',
  'Petri',
] as const;

/**
 * The name of a bot: the same in the arena and in every replay, no two alike among those who live at a time, and another
 * set for each match.
 */
export function botName(matchId: string, bot: PlayerId): string {
  const slot = slotOfId(bot);
  let start = 0;
  for (let index = 0; index < matchId.length; index++) start += matchId.charCodeAt(index);
  const name = BOT_NAMES[(start + slot) % BOT_NAMES.length]!;
  const round = Math.floor(slot / BOT_NAMES.length);
  return round === 0 ? name : `${name.slice(0, 7)}${round + 1}`;
}
