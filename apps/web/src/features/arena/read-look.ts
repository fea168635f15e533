import { settings } from '../../shared/settings.ts';
import type { Look } from './render/look.ts';

export function readLook(): Look {
  return {
    showBorder: settings.read('showBorder'),
    showMass: settings.read('showMass'),
    roundFood: settings.read('roundFood'),
    isDark: settings.read('darkMode'),
    backgroundColor: settings.read('backgroundColor'),
    lineColor: settings.read('lineColor'),
    splitRedFlash: settings.read('splitRedFlash'),
    splitYellowRipple: settings.read('splitYellowRipple'),
    isColourBlind: settings.read('colourBlind'),
  };
}
