/**
 * Wraps a read so that callers within `ms` share one, for public data that many ask for. The number of keys is limited;
 * the oldest are forgotten first. A failed read is not remembered.
 */
export function rememberFor<Key, Value>(
  { ms, maxKeys, nowMs }: { readonly ms: number; readonly maxKeys: number; nowMs(): number },
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, { readonly readAtMs: number; readonly value: Promise<Value> }>();
  return (key) => {
    const found = known.get(key);
    if (found && nowMs() - found.readAtMs < ms) return found.value;
    const value = read(key);
    known.delete(key);
    known.set(key, { readAtMs: nowMs(), value });
    value.catch(() => known.delete(key));
    for (const oldest of known.keys()) {
      if (known.size <= maxKeys) break;
      known.delete(oldest);
    }
    return value;
  };
}
