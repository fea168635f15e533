import bot from '@engulf/card/avatars/bot.svg';
import cat from '@engulf/card/avatars/cat.svg';
import check from '@engulf/card/avatars/check.svg';
import donut from '@engulf/card/avatars/donut.svg';
import duck from '@engulf/card/avatars/duck.svg';
import egg from '@engulf/card/avatars/egg.svg';
import eye from '@engulf/card/avatars/eye.svg';
import flame from '@engulf/card/avatars/flame.svg';
import frog from '@engulf/card/avatars/frog.svg';
import moon from '@engulf/card/avatars/moon.svg';
import octo from '@engulf/card/avatars/octo.svg';
import shark from '@engulf/card/avatars/shark.svg';
import shroom from '@engulf/card/avatars/shroom.svg';
import skull from '@engulf/card/avatars/skull.svg';
import sunset from '@engulf/card/avatars/sunset.svg';
import wave from '@engulf/card/avatars/wave.svg';
import { type Portrait, portraitOf } from '@engulf/card/portrait';

const URLS: { readonly [portrait in Portrait]: string } = {
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
};

/** Which of the drawings: much shorter than its address. */
export function defaultAvatarOf(name: string): Portrait {
  return portraitOf(name);
}

export function defaultAvatarUrl(name: string): string {
  return URLS[defaultAvatarOf(name)];
}
