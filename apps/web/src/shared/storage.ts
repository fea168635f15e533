/** Raw access to the browser's storage; settings.ts and entry-record.ts give it names and types. */
export type BrowserStorage = {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
  remove(key: string): void;
};

/** Kept per tab, because a second tab plays its own game. */
const TAB_KEYS: readonly string[] = ['sessionId', 'invite'];

/** Browsers may deny storage (private windows, policies): nothing is remembered then, and the rest still works. */
export const storage: BrowserStorage = {
  read: (key) => attempt(() => areaOf(key).getItem(key) ?? undefined),
  write: (key, value) => attempt(() => areaOf(key).setItem(key, value)),
  remove: (key) => attempt(() => areaOf(key).removeItem(key)),
};

function areaOf(key: string): Storage {
  return TAB_KEYS.includes(key) ? window.sessionStorage : window.localStorage;
}

function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
