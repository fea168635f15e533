/** Keeps a byte order mark: nodes list it, and a memo must be the same text wherever it is read. */
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function memoText(data: ArrayLike<number>): string {
  return fromUtf8.decode(Uint8Array.from(data));
}
