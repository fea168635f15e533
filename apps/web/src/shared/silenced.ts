import { settings } from './settings.ts';

/** Enough for anybody; keeps what is stored small. */
const MAX_NAMES = 200;

/** Players whose lines and emotes this browser does not show, by name. Names hold no commas. */
export function silencedNames(): readonly string[] {
  return settings.read('silenced')?.split(',') ?? [];
}

export function isSilenced(name: string | undefined): boolean {
  return name !== undefined && silencedNames().includes(name);
}

export function setSilenced(name: string, isOn: boolean): void {
  const others = silencedNames().filter((each) => each !== name);
  const names = (isOn ? [...others, name] : others).slice(-MAX_NAMES);
  if (names.length === 0) settings.reset('silenced');
  else settings.write('silenced', names.join(','));
}
