const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The chain has a faucet and listens on the developer's own machine, where every page in the browser could reach it. So
 * only pages from this machine, and those named in the options, may use it. Clients that are not browsers send no origin.
 */
export function isAllowedOrigin(origin: string | undefined, pageOrigins: readonly string[]): boolean {
  if (origin === undefined || pageOrigins.includes(origin)) return true;
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && LOOPBACK_HOSTS.has(url.hostname);
}
