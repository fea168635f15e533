import bot from './avatars/bot.svg';
import cat from './avatars/cat.svg';
import check from './avatars/check.svg';
import donut from './avatars/donut.svg';
import duck from './avatars/duck.svg';
import egg from './avatars/egg.svg';
import eye from './avatars/eye.svg';
import flame from './avatars/flame.svg';
import frog from './avatars/frog.svg';
import moon from './avatars/moon.svg';
import octo from './avatars/octo.svg';
import shark from './avatars/shark.svg';
import shroom from './avatars/shroom.svg';
import skull from './avatars/skull.svg';
import sunset from './avatars/sunset.svg';
import wave from './avatars/wave.svg';

const PORTRAITS = [
  bot,
  cat,
  check,
  donut,
  duck,
  egg,
  eye,
  flame,
  frog,
  moon,
  octo,
  shark,
  shroom,
  skull,
  sunset,
  wave,
] as const;

/** Depends on the name alone, so that a player has the same portrait everywhere. */
export function defaultAvatarUrl(name: string): string {
  let hash = 2166136261;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return PORTRAITS[(hash >>> 20) % PORTRAITS.length] ?? egg;
}
