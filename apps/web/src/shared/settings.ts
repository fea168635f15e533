import { useSyncExternalStore } from 'react';
import { type BrowserStorage, storage } from './storage.ts';

/** Everything the page remembers between visits: storage key, parser, default. A new setting is one more line. */
const SETTINGS = {
  /** The lobby selected last. */
  lobby: setting('lobby', text, undefined),
  /** The wallet that signed in last; a reload reconnects it. */
  walletName: setting('wallet_name', text, undefined),
  /** The private key of the burner wallet. */
  burnerSeed: setting('burner_seed', hex32, undefined),

  audioVolume: setting('audio_volume', between(0, 1), 0.2),
  /** Of the sound that is always there. */
  ambienceVolume: setting('ambience_volume', between(0, 1), 0.15),
  isMuted: setting('audio_muted', flag, false),
  showBorder: setting('show_border', flag, true),
  showMass: setting('show_mass', flag, true),
  roundFood: setting('round_food', flag, true),
  /** The theme of the whole page. */
  darkMode: setting('dark_mode', flag, true),
  /** Whether the cell moves on when the pointer leaves the window. */
  continuity: setting('continuity', flag, false),
  /** Undefined: as the theme has it. */
  backgroundColor: setting('background_color', colour, undefined),
  lineColor: setting('line_color', colour, undefined),
  splitRedFlash: setting('split_red_flash', flag, true),
  splitYellowRipple: setting('split_yellow_ripple', flag, false),
  /** On top of the scale that fits the window. */
  uiScale: setting('ui_scale', between(0.75, 1.5), 1),
  colourBlind: setting('colour_blind', flag, false),
  /** Rank-ups, milestones and streaks. */
  showCheers: setting('show_cheers', flag, true),
  /** Besides what the system asks for. */
  reducedMotion: setting('reduced_motion', flag, false),
  /** Whether the first life has been explained. */
  hasPlayedBefore: setting('has_played_before', flag, false),
  /** The lesson that the first life has come to. */
  guideLesson: setting('guide_lesson', text, undefined),
  /** Names of players whose lines and emotes are not shown, with commas between them. */
  silenced: setting('silenced', text, undefined),
  isChatOpen: setting('chat_open', flag, true),
  /** Keys that differ from the defaults, as JSON: action → code. */
  keyBindings: setting('key_bindings', text, undefined),
} as const;

export type SettingName = keyof typeof SETTINGS;
type SettingValue<Name extends SettingName> =
  (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;

export type Settings = {
  read<Name extends SettingName>(name: Name): SettingValue<Name>;
  write<Name extends SettingName>(name: Name, value: NonNullable<SettingValue<Name>>): void;
  reset(name: SettingName): void;
  subscribe(onChange: () => void): () => void;
};

/** Values are cached, so that they last for the visit where the browser denies storage. */
export function createSettings(over: BrowserStorage): Settings {
  const values = new Map<SettingName, unknown>();
  const listeners = new Set<() => void>();
  const set = (name: SettingName, value: unknown) => {
    values.set(name, value);
    for (const listener of listeners) listener();
  };
  return {
    read: <Name extends SettingName>(name: Name) => {
      if (!values.has(name)) values.set(name, load<unknown>(SETTINGS[name], over));
      return values.get(name) as SettingValue<Name>;
    },
    write: (name, value) => {
      over.write(SETTINGS[name].key, String(value));
      set(name, value);
    },
    reset: (name) => {
      over.remove(SETTINGS[name].key);
      set(name, SETTINGS[name].default);
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export const settings = createSettings(storage);

export function useSetting<Name extends SettingName>(name: Name) {
  const value = useSyncExternalStore(settings.subscribe, () => settings.read(name));
  return [
    value,
    (next: NonNullable<SettingValue<Name>>) => settings.write(name, next),
    () => settings.reset(name),
  ] as const;
}

type Setting<Value> = {
  readonly key: string;
  /** Undefined for a stored value that is not valid: the default applies then. */
  readonly parse: (stored: string) => Value | undefined;
  readonly default: Value;
};

function setting<Value, Default extends Value | undefined>(
  key: string,
  parse: (stored: string) => Value | undefined,
  fallback: Default,
): Setting<Value | Default> {
  return { key, parse, default: fallback };
}

function load<Value>({ key, parse, default: fallback }: Setting<Value>, over: BrowserStorage): Value {
  const stored = over.read(key);
  return (stored === undefined ? undefined : parse(stored)) ?? fallback;
}

function text(stored: string): string | undefined {
  return stored === '' ? undefined : stored;
}

function flag(stored: string): boolean | undefined {
  return stored === 'true' ? true : stored === 'false' ? false : undefined;
}

function between(min: number, max: number): (stored: string) => number | undefined {
  return (stored) => {
    const value = stored.trim() === '' ? Number.NaN : Number(stored);
    return value >= min && value <= max ? value : undefined;
  };
}

function colour(stored: string): string | undefined {
  return /^#[0-9a-f]{6}$/i.test(stored) ? stored : undefined;
}

function hex32(stored: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(stored) ? stored : undefined;
}
