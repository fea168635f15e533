import type { Config } from './config/config.ts';

/** Another program has a port that this server needs. */
export class PortTaken extends Error {}

/** The error with the variable that chooses the port, or the error itself if it is another one. */
export function explainTakenPort(error: unknown, { port, chain }: Pick<Config, 'port' | 'chain'>): unknown {
  const { code, port: taken } = error as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE' || typeof taken !== 'number') return error;
  const variables: readonly (readonly [string, number])[] = [
    ['PORT', port],
    ...(chain.kind === 'embedded'
      ? ([
          ['LOCALNET_RPC_PORT', chain.rpcPort],
          ['LOCALNET_WS_PORT', chain.wsPort],
        ] as const)
      : []),
  ];
  const variable = variables.find(([, wanted]) => wanted === taken)?.[0];
  if (variable === undefined) return error;
  const remedy = `Choose another one: ${variable}=${taken + 1} npm start`;
  return new PortTaken(`Another program uses port ${taken}. ${remedy}`, { cause: error });
}
