import { settings } from '../../../shared/settings.ts';
import { createSynth } from './synth.ts';

/** Buttons of the menu sound as those of the arena do. Returns a function that stops. */
export function hearMenu(): () => void {
  // Not in every environment, and the menu has to work without.
  if (typeof AudioContext === 'undefined') return () => {};
  const synth = createSynth();
  const onClick = (event: MouseEvent) => {
    synth.setVolume(settings.read('isMuted') ? 0 : settings.read('audioVolume'));
    synth.unlock();
    if (event.target instanceof Element && event.target.closest('button, [role="tab"]')) synth.play('button');
  };
  window.addEventListener('click', onClick, true);
  return () => {
    window.removeEventListener('click', onClick, true);
    synth.dispose();
  };
}
