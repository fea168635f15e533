/** Each word with the colour token it is set in. */
export const KILL_WORDS = [
  { word: 'ANNIHILATED', colour: 'kw-annihilated' },
  { word: 'TERMINATED', colour: 'kw-terminated' },
  { word: 'OBLITERATED', colour: 'kw-obliterated' },
  { word: 'DEMOLISHED', colour: 'kw-demolished' },
  { word: 'BLOODBATH', colour: 'kw-bloodbath' },
  { word: 'K.O', colour: 'kw-ko' },
  { word: 'CYBERWIPE', colour: 'kw-cyberwipe' },
  { word: 'FATALITY', colour: 'kw-fatality' },
  { word: 'RAMPAGE', colour: 'kw-rampage' },
  { word: 'BRUTALITY', colour: 'kw-brutality' },
  { word: 'REVENGE', colour: 'kw-revenge' },
  { word: 'ROBBED', colour: 'kw-robbed' },
] as const;

export type KillWord = (typeof KILL_WORDS)[number];

export const KILL_BANNER = {
  smallInMs: 300,
  overlapMs: 200,
  largeInMs: 420,
  holdMs: 2_000,
  /** The event itself is kept a little longer than its banner plays. */
  keptMs: 4_000,
} as const;

/** `random` is in [0, 1), the caller's die. */
export function pickKillWord(random: number): KillWord {
  const index = Math.floor(random * KILL_WORDS.length);
  return KILL_WORDS[Math.min(KILL_WORDS.length - 1, Math.max(0, index))]!;
}
