import type { Config } from '../platform/config/config.ts';

/** The names under which this server is reached. */
export type Site = {
  readonly publicUrl: URL;
  /** The domain that the wallet signs in to. */
  domainFor(hostHeader: string | undefined): { domain: string; uri: string };
  /** Whether a page of that origin may call us. */
  isOwnOrigin(origin: string): boolean;
};

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

export function describeSite(config: Config, port: number): Site {
  const publicUrl = config.publicUrl ?? new URL(`http://localhost:${port}`);
  const isLocal = !config.isProduction && LOOPBACK_NAMES.has(publicUrl.hostname);
  const isOwnHost = (url: URL) =>
    url.host === publicUrl.host ||
    (config.console.isOn && url.host === config.console.url?.host) ||
    (isLocal && LOOPBACK_NAMES.has(url.hostname));
  return {
    publicUrl,
    domainFor: (hostHeader) => {
      const asked = URL.parse(`${publicUrl.protocol}//${hostHeader}`);
      const url = asked && isOwnHost(asked) ? asked : publicUrl;
      return { domain: url.host, uri: url.origin };
    },
    isOwnOrigin: (origin) => {
      const url = URL.parse(origin);
      // A page that came over plain HTTP may be anybody's.
      return url !== null && url.protocol === publicUrl.protocol && isOwnHost(url);
    },
  };
}
