import type { Config } from '../platform/config/config.ts';
import type { Social } from './task-providers.ts';

/** A stand-in for X in this process. */
export const LOCAL_X_PATH = '/dev/x';
const LOCAL_CLIENT_ID = 'engulf-development';
const LOCAL_BEARER = 'development';

/** In development without an app at X, the server plays X itself. Production never does. */
export function isLocalXOffered({ isProduction, x }: Pick<Config, 'isProduction' | 'x'>): boolean {
  return !isProduction && x === undefined;
}

/** `ownUrl` is where this server listens, known once it does. */
export function createSocial(
  config: Pick<Config, 'isProduction' | 'x' | 'telegram'>,
  ownUrl: () => string,
): Social {
  const telegram = config.telegram && { apiUrl: 'https://api.telegram.org', ...config.telegram };
  if (config.x) {
    return { telegram, x: { apiUrl: 'https://api.x.com', webUrl: () => 'https://x.com', ...config.x } };
  }
  if (!isLocalXOffered(config)) return { telegram, x: undefined };
  return {
    telegram,
    x: {
      get apiUrl() {
        return ownUrl() + LOCAL_X_PATH;
      },
      webUrl: (ourOrigin) => ourOrigin + LOCAL_X_PATH,
      clientId: LOCAL_CLIENT_ID,
      clientSecret: null,
      bearerToken: LOCAL_BEARER,
    },
  };
}
