import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { readSolvency, readSolvencyHistory } from '@engulf/protocol/http/solvency';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { createHistoryReader } from '../../solvency/history.ts';
import { createSolvencyCopy } from '../../solvency/solvency-copy.ts';
import { serveCall } from '../serve-call.ts';

/** Public: anyone can compare our books with the chain. */
export function registerSolvency(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  { explorerAccountUrl }: Pick<Config, 'explorerAccountUrl'>,
): void {
  const copy = createSolvencyCopy(context, { explorerAccountUrl });
  const readHistory = createHistoryReader(context);
  serveCall(app, readSolvency, async () => ok(await copy.read()));
  serveCall(app, readSolvencyHistory, async ({ query }) => {
    if (!(await copy.hasLobby(query.lobbyId))) return refuse('LOBBY_NOT_FOUND');
    return ok(await readHistory(query.lobbyId as LobbyId, query.before));
  });
}
