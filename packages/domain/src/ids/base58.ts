const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** How many bytes the text stands for, or undefined when it is not base58. */
export function base58ByteLength(text: string): number | undefined {
  let leadingZeroBytes = 0;
  while (text[leadingZeroBytes] === '1') leadingZeroBytes++;
  let value = 0n;
  for (const character of text.slice(leadingZeroBytes)) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const valueBytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return leadingZeroBytes + valueBytes;
}
