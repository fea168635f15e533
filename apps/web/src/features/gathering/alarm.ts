import { settings } from '../../shared/settings.ts';

/*
 * Calls a player who does something else meanwhile: by sound, the tab's title and, if allowed, a notification.
 */

let audio: AudioContext | undefined;

/** Browsers let a page sound and notify only if it asked after a click. */
export function allowAlarm(): void {
  audio ??= new AudioContext();
  void audio.resume();
  if ('Notification' in window && Notification.permission === 'default')
    void Notification.requestPermission();
}

/** Three rising notes. */
const NOTES_HZ = [523.25, 659.25, 783.99];
const NOTE_S = 0.16;

/** Returns a function that ends it. */
export function soundAlarm(text: { title: string; body: string }): () => void {
  chime();
  const calm = document.title;
  document.title = text.title;
  const isAllowed = 'Notification' in window && Notification.permission === 'granted';
  const shown = isAllowed && document.hidden ? notify(text) : undefined;
  return () => {
    if (document.title === text.title) document.title = calm;
    shown?.close();
  };
}

function notify({ title, body }: { title: string; body: string }): Notification {
  const shown = new Notification(title, { body, tag: 'gathering' });
  shown.onclick = () => window.focus();
  return shown;
}

function chime(): void {
  if (audio?.state !== 'running' || settings.read('isMuted')) return;
  const volume = audio.createGain();
  volume.gain.value = settings.read('audioVolume');
  volume.connect(audio.destination);
  for (const [index, hz] of NOTES_HZ.entries()) {
    const startS = audio.currentTime + index * NOTE_S;
    const note = audio.createOscillator();
    const shape = audio.createGain();
    note.frequency.value = hz;
    shape.gain.setValueAtTime(0, startS);
    shape.gain.linearRampToValueAtTime(0.8, startS + 0.02);
    shape.gain.exponentialRampToValueAtTime(0.001, startS + 3 * NOTE_S);
    note.connect(shape).connect(volume);
    note.start(startS);
    note.stop(startS + 3 * NOTE_S);
  }
}
