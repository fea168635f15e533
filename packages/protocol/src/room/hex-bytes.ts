import { z } from 'zod';

/** Bytes as hexadecimal digits, which take a byte for two of them in compact frames. */
export function hexBytes(length: number) {
  return z.stringFormat('bytes', new RegExp(`^[0-9a-f]{${2 * length}}$`));
}

export function isHexBytes(schema: unknown): boolean {
  return schema instanceof z.ZodCustomStringFormat && schema.format === 'bytes';
}
