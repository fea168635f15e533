import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LOCAL_X_PATH } from '../setup.ts';
import { actionPage, consentPage } from './pages.ts';
import { accountNamed, createLocalXStore, type LocalXStore } from './store.ts';

/*
 * X for developers, with its real protocol: the server speaks to it as it would to X, and people press real buttons.
 * Never registered in production.
 */

const USERNAME_COOKIE = 'development_x_user';
const username = z.string().regex(/^\w{1,15}$/);
const action = z.enum(['like', 'retweet', 'follow']);
const target = z.string().regex(/^\w{1,32}$/);

export async function registerLocalX(
  app: FastifyInstance,
  isOwnOrigin: (origin: string) => boolean,
): Promise<void> {
  const store = createLocalXStore();
  await app.register(
    async (x) => {
      x.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      serveConsent(x, store, isOwnOrigin);
      serveActions(x, store);
      serveApi(x, store);
    },
    { prefix: LOCAL_X_PATH },
  );
}

const authorizationQuery = z.object({
  response_type: z.literal('code'),
  client_id: z.string().min(1),
  redirect_uri: z.url(),
  state: z.string().min(1),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  scope: z.string(),
});

function serveConsent(x: FastifyInstance, store: LocalXStore, isOwnOrigin: (origin: string) => boolean) {
  x.get('/i/oauth2/authorize', async (request, reply) =>
    sendPage(reply, consentPage(authorizationQuery.parse(request.query), nameIn(request))),
  );
  x.post('/i/oauth2/authorize', async (request, reply) => {
    const form = authorizationQuery
      .extend({ decision: z.enum(['allow', 'deny']), username: z.string() })
      .parse(request.body);
    const back = new URL(form.redirect_uri);
    if (!isOwnOrigin(back.origin)) return reply.code(400).send();
    if (form.decision === 'deny') {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('state', form.state);
      return reply.redirect(back.href, 303);
    }
    const account = accountNamed(username.parse(form.username));
    const code = store.grant({
      account,
      codeChallenge: form.code_challenge,
      redirectUri: form.redirect_uri,
      clientId: form.client_id,
    });
    back.searchParams.set('state', form.state);
    back.searchParams.set('code', code);
    return remember(reply, account.username).redirect(back.href, 303);
  });
}

function serveActions(x: FastifyInstance, store: LocalXStore) {
  const query = z.object({ tweet_id: target.optional(), screen_name: target.optional() });
  x.get('/intent/:action', async (request, reply) => {
    const asked = query.parse(request.query);
    const press = { action: actionIn(request), target: asked.screen_name ?? asked.tweet_id ?? '' };
    return sendPage(reply, actionPage(press, nameIn(request), false));
  });
  x.post('/intent/:action', async (request, reply) => {
    const form = z.object({ target, username }).parse(request.body);
    const press = { action: actionIn(request), target: form.target };
    store.press(accountNamed(form.username).id, press.action, press.target);
    return sendPage(remember(reply, form.username), actionPage(press, form.username, true));
  });
}

/** The calls of api.x.com that the server makes. */
function serveApi(x: FastifyInstance, store: LocalXStore) {
  const tokenForm = z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    code_verifier: z.string(),
    redirect_uri: z.string(),
    client_id: z.string(),
  });
  x.post('/2/oauth2/token', async (request, reply) => {
    const form = tokenForm.safeParse(request.body);
    const token =
      form.success &&
      store.redeem(form.data.code, {
        codeVerifier: form.data.code_verifier,
        redirectUri: form.data.redirect_uri,
        clientId: form.data.client_id,
      });
    if (!token) return reply.code(400).send({ error: 'invalid_grant' });
    return { token_type: 'bearer', access_token: token, expires_in: 7_200, scope: 'tweet.read users.read' };
  });
  x.get('/2/users/me', async (request, reply) => {
    const account = store.accountOf((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    return account ? { data: account } : reply.code(401).send();
  });
  x.get('/2/users/:id/liked_tweets', async (request) => ({
    data: store.pressed(idIn(request), 'like').map((id) => ({ id })),
  }));
  x.get('/2/users/:id/tweets', async (request) => ({
    data: store
      .pressed(idIn(request), 'retweet')
      .map((id) => ({ referenced_tweets: [{ type: 'retweeted', id }] })),
  }));
  x.get('/2/users/:id/following', async (request) => ({
    data: store.pressed(idIn(request), 'follow').map(accountNamed),
  }));
}

function idIn({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}

function actionIn({ params }: FastifyRequest) {
  return action.parse((params as { action: string }).action);
}

function nameIn({ cookies }: FastifyRequest): string {
  const known = username.safeParse(cookies[USERNAME_COOKIE]);
  return known.success ? known.data : '';
}

function remember(reply: FastifyReply, name: string): FastifyReply {
  return reply.setCookie(USERNAME_COOKIE, name, { path: LOCAL_X_PATH, httpOnly: true, sameSite: 'lax' });
}

/** Without a referrer browsers send forms with the origin `null`, which the server refuses. */
function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('referrer-policy', 'same-origin').type('text/html; charset=utf-8').send(html);
}
