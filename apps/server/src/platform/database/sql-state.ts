/** Whether PostgreSQL refused with this error class or code. Drizzle wraps the driver's error. */
export function hasSqlState(error: unknown, prefix: string): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    const { code } = link as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code.startsWith(prefix);
  }
  return false;
}

export const UNIQUE_VIOLATION = '23505';
export const LOCK_NOT_AVAILABLE = '55P03';
