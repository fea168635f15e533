import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import {
  completeTask as completeTaskCall,
  enterRaffle as enterRaffleCall,
  listOwnTasks,
  listTasks as listTasksCall,
  noteRaffleSeen as noteRaffleSeenCall,
  openTask as openTaskCall,
  RAFFLE_PAGE_PATH,
  readRaffle as readRaffleCall,
  readRaffleDay as readRaffleDayCall,
  startTwitterLogin,
  verifyTwitterLogin,
} from '@engulf/protocol/http/social';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findSessionUser, hashToken, SESSION_COOKIE } from '../../accounts/sessions.ts';
import type { Context } from '../../platform/context.ts';
import { rememberFor } from '../../platform/remember.ts';
import { enterRaffle, noteRaffleSeen, readRaffle, readRaffleDay } from '../../social/raffle.ts';
import type { Social } from '../../social/task-providers.ts';
import { completeTask, listTasks, openTask } from '../../social/tasks.ts';
import { finishXLogin, startXLogin } from '../../social/x-sign-in.ts';
import { rafflePage } from '../pages/raffle-page.ts';
import { sendNotFoundPage, sendPage } from '../pages/send-page.ts';
import { sendFailure, serveCall, signedIn } from '../serve-call.ts';
import type { Site } from '../site.ts';

export type SocialOptions = {
  readonly social: Social;
  readonly site: () => Site;
  readonly raffleWinnersPerDay: number;
};

export function registerSocial(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'keys' | 'logger' | 'nowMs'>,
  options: SocialOptions,
): void {
  registerTasks(app, context, options);
  registerTwitter(app, context, options);
  registerRaffle(app, context, options);
}

function registerTasks(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'keys' | 'nowMs'>,
  { social, site }: SocialOptions,
): void {
  const memory = { ms: 2_000, maxKeys: 1, nowMs: context.nowMs };
  const forVisitors = rememberFor(memory, () => listTasks(context, social, undefined));
  serveCall(app, listTasksCall, async () => ok({ data: await forVisitors(undefined) }));
  serveCall(
    app,
    listOwnTasks,
    signedIn(context, async (user) => ok({ data: await listTasks(context, social, user) }), 'LOGIN_REQUIRED'),
  );
  serveCall(
    app,
    completeTaskCall,
    signedIn(
      context,
      async (user, { body }) => {
        const queued = await completeTask(context, social, user, body.taskId);
        return queued.ok ? ok({ status: 'queued', message: 'Task Queued' }) : queued;
      },
      'LOGIN_REQUIRED',
    ),
  );
  const { path: url, query: querystring, limit } = openTaskCall;
  app.route({
    method: 'GET',
    url,
    schema: { querystring },
    config: { rateLimit: { max: limit.max * app.rateLimitScale, timeWindow: limit.windowMs } },
    handler: async (request, reply) => {
      const { taskId } = request.query as z.infer<typeof querystring>;
      const token = request.cookies[SESSION_COOKIE];
      const user = token === undefined ? undefined : await findSessionUser(context, token);
      if (!user) return sendFailure(reply, refuse('LOGIN_REQUIRED').error);
      const target = await openTask(context, social, { user, taskId, ourOrigin: originOf(site(), request) });
      return target.ok ? reply.redirect(target.value, 303) : sendFailure(reply, target.error);
    },
  });
}

/** The name under which the browser reaches us. */
function originOf(site: Site, { headers }: FastifyRequest): string {
  return site.domainFor(headers.host).uri;
}

function registerTwitter(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  { social, site }: SocialOptions,
): void {
  const { x } = social;
  const sessionKeyOf = ({ cookies }: FastifyRequest) => hashToken(cookies[SESSION_COOKIE]!);
  serveCall(
    app,
    startTwitterLogin,
    signedIn(context, async (user, { raw }) => {
      if (!x) return refuse('SOCIAL_NO_AUTHORIZATION_URL');
      const visitor = { user, sessionKey: sessionKeyOf(raw) };
      const url = await startXLogin(context, x, visitor, originOf(site(), raw));
      return ok({ data: { data: { url, isTwitterConnected: url === null } } });
    }),
  );
  serveCall(
    app,
    verifyTwitterLogin,
    signedIn(context, async (user, { raw, query }) => {
      if (!x) return refuse('SOCIAL_CONNECTION_FAILED');
      const connected = await finishXLogin(context, x, { user, sessionKey: sessionKeyOf(raw) }, query);
      return connected.ok ? ok({ status: 'success', message: 'Twitter connected' }) : connected;
    }),
  );
}

function registerRaffle(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'nowMs'>,
  { social, raffleWinnersPerDay }: SocialOptions,
): void {
  serveCall(
    app,
    readRaffleCall,
    signedIn(context, async (user) => ok(await readRaffle(context, user))),
  );
  serveCall(
    app,
    enterRaffleCall,
    signedIn(context, async (user) => {
      const entered = await enterRaffle(context, social, user);
      return entered.ok ? ok({ status: 'success', message: 'Successfully entered the raffle!' }) : entered;
    }),
  );
  serveCall(
    app,
    noteRaffleSeenCall,
    signedIn(context, async (user) => {
      await noteRaffleSeen(context, user);
      return ok({ status: 'success' });
    }),
  );
  const days = rememberFor({ ms: 2_000, maxKeys: 100, nowMs: context.nowMs }, (day: string) =>
    readRaffleDay(context, day, raffleWinnersPerDay),
  );
  const describeDay = async ({ params }: Pick<FastifyRequest, 'params'>) => {
    const day = z.iso.date().safeParse((params as { day: string }).day);
    return day.success ? days(day.data) : undefined;
  };
  serveCall(app, readRaffleDayCall, async ({ raw }) => {
    const described = await describeDay(raw);
    return described ? ok(described) : refuse('NOT_FOUND');
  });
  const { limit } = readRaffleDayCall;
  const limited = { rateLimit: { max: limit.max * app.rateLimitScale, timeWindow: limit.windowMs } };
  app.get(`${RAFFLE_PAGE_PATH}:day`, { config: limited }, async (request, reply) => {
    const described = await describeDay(request);
    if (described) return sendPage(reply, rafflePage(described));
    return sendNotFoundPage(reply, { title: 'No such raffle', text: 'There was no raffle on that day.' });
  });
}
