/** Unpacks raw deflate with what browsers and Node both have. Undefined if it is damaged or longer than announced. */
export async function inflate(packed: Uint8Array, maxLength: number): Promise<Uint8Array | undefined> {
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  // A damaged stream rejects both sides; the reader tells.
  const written = writer
    .write(packed as Uint8Array<ArrayBuffer>)
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = stream.readable.getReader();
  const body = new Uint8Array(maxLength);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > maxLength) {
        await reader.cancel();
        return undefined;
      }
      body.set(value, length);
      length += value.length;
    }
  } catch {
    return undefined;
  }
  await written;
  return body.subarray(0, length);
}
