import { ok } from '@engulf/domain/errors/result';
import { readCountry, readGates } from '@engulf/protocol/http/gates';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Geo } from '../../platform/geo.ts';
import { serveCall } from '../serve-call.ts';

const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

export function registerGates(
  app: FastifyInstance,
  context: Pick<Context, 'chain' | 'switches' | 'nowMs'>,
  geo: Geo,
): void {
  const isChainThere = watchChain(context);
  serveCall(app, readGates, async () => {
    const switches = await context.switches.read();
    return ok({
      blockedCountryCodes: switches['blocked-countries'],
      isBetaEnable: !switches['beta-closed'],
      isUpgrading: switches['upgrade-page'],
      isMaintenanceAnnounced: switches['maintenance-banner'],
      isChatOpen: !switches['chat-closed'],
      isSessionOverlayOn: switches['session-overlay'],
      entriesPausedBy: switches['paid-entries-paused'] ? 'operators' : isChainThere() ? null : 'chain',
    });
  });
  serveCall(app, readCountry, async ({ raw }) => ok({ country_code: geo.countryOf(raw.ip) ?? null }));
}

/** Whether the node answered when it was asked last. The page does not wait for it, so the first answer is yes. */
function watchChain({ chain, nowMs }: Pick<Context, 'chain' | 'nowMs'>): () => boolean {
  let isThere = true;
  let askedMs = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    try {
      await chain.rpc.getSlot().send({ abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      isThere = true;
    } catch {
      isThere = false;
    }
  };
  return () => {
    if (nowMs() - askedMs >= ASK_EVERY_MS) {
      askedMs = nowMs();
      void ask();
    }
    return isThere;
  };
}
