const PORTRAITS = [
  'bot',
  'cat',
  'check',
  'donut',
  'duck',
  'egg',
  'eye',
  'flame',
  'frog',
  'moon',
  'octo',
  'shark',
  'shroom',
  'skull',
  'sunset',
  'wave',
] as const;

/** A picture in the folder `avatars`. */
export type Portrait = (typeof PORTRAITS)[number];

/** The picture of a player who has uploaded none. Depends on the name alone, so that it is the same everywhere. */
export function portraitOf(name: string): Portrait {
  let hash = 2166136261;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return PORTRAITS[(hash >>> 20) % PORTRAITS.length] ?? 'egg';
}
