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
} as const;

type SettingName = keyof typeof SETTINGS;
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
      if (!values.has(name)) values.set(name, load(SETTINGS[name], over));
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
  return [value, (next: NonNullable<SettingValue<Name>>) => settings.write(name, next)] as const;
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

function hex32(stored: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(stored) ? stored : undefined;
}
