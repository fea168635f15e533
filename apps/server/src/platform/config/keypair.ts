const KEYPAIR_BYTES = 64;

/** The format of `solana-keygen`. Undefined for anything else. */
export function parseKeypair(text: string): Uint8Array | undefined {
  try {
    const bytes: unknown = JSON.parse(text);
    const isKeypair =
      Array.isArray(bytes) &&
      bytes.length === KEYPAIR_BYTES &&
      bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
    return isKeypair ? Uint8Array.from(bytes as number[]) : undefined;
  } catch {
    return undefined;
  }
}
