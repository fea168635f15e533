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

/** A name that no bot in the arena has; when all are taken, one of them with a number. */
export function chooseBotName(taken: ReadonlySet<string>): string {
  const free = BOT_NAMES.filter((name) => !taken.has(name));
  if (free.length > 0) return pick(free);
  for (let number = 2; ; number++) {
    const name = `${pick(BOT_NAMES).slice(0, 7)}${number}`;
    if (!taken.has(name)) return name;
  }
}

function pick(names: readonly string[]): string {
  return names[Math.floor(Math.random() * names.length)]!;
}
