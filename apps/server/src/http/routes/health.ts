import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';

const ANSWER_WITHIN_MS = 2_000;
/** Anybody may ask, so the parts behind are asked at most once a second. */
const MEMORY = { ms: 1_000, maxKeys: 1 } as const;

type Parts = {
  readonly database: boolean;
  readonly chain: boolean;
  readonly lobbies?: boolean;
  readonly signer?: boolean;
};

/** What only some processes have: whether rooms may be opened, and the process that signs payouts. */
type Asked = {
  readonly canTakeLobbies?: (() => Promise<boolean>) | undefined;
  readonly signer?: { keys(): Promise<unknown> } | undefined;
};

/**
 * For supervisors and load balancers. Every role has it. A process that runs rooms is ready while it may take lobbies;
 * one that is leaving or was declared dead is not. Without the chain or the signer a process stays ready: free play, chat and
 * replays go on, and no other process could do better. What waits for them is named.
 */
export function registerHealth(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'chain' | 'nowMs'>,
  { canTakeLobbies, signer }: Asked = {},
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  const look = rememberFor(
    { ...MEMORY, nowMs: context.nowMs },
    async (_: 'parts'): Promise<Parts> => ({
      database: await answers(context.db.execute(sql`select 1`)),
      chain: await answers(
        context.chain.rpc.getSlot().send({ abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) }),
      ),
      ...(canTakeLobbies && { lobbies: await answers(canTakeLobbies()) }),
      ...(signer && { signer: await answers(signer.keys()) }),
    }),
  );
  app.get('/readyz', async (_request, reply) => {
    const parts = await look('parts');
    const isReady = parts.database && parts.lobbies !== false;
    const canPay = parts.chain && parts.signer !== false;
    const paused = [...(parts.chain ? [] : ['payments']), ...(canPay ? [] : ['payouts'])];
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', parts, paused });
  });
}

/** False for an answer that is late, an error or no. */
async function answers(answer: PromiseLike<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_WITHIN_MS);
  });
  const arrived = Promise.resolve(answer).then(
    (value) => value !== false,
    () => false,
  );
  const hasAnswered = await Promise.race([arrived, late]);
  clearTimeout(timer);
  return hasAnswered;
}
