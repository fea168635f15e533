import { ok } from '@engulf/domain/errors/result';
import {
  chooseColour as chooseColourCall,
  markGuided as markGuidedCall,
  readProfile,
  renameProfile,
  signIn as signInCall,
  signInNonce,
  signOut,
  signOutEverywhere,
  submitReferral as submitReferralCall,
} from '@engulf/protocol/user';
import type { FastifyInstance } from 'fastify';
import { submitAccessCode } from '../../accounts/access.ts';
import { chooseColour, describeUser, markGuided, rename } from '../../accounts/profile.ts';
import { closeSession, closeSessionsOf, SESSION_COOKIE, SESSION_TTL_MS } from '../../accounts/sessions.ts';
import { createNonce, signIn } from '../../accounts/sign-in.ts';
import type { Context } from '../../platform/context.ts';
import type { GuessLimits } from '../../platform/fleet/guess-limits.ts';
import { serveCall, signedIn } from '../serve-call.ts';
import type { Site } from '../site.ts';

export function registerAuth(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'chain' | 'storage' | 'nowMs'>,
  site: () => Site,
  guesses: GuessLimits,
): void {
  const cookie = () =>
    ({ path: '/', httpOnly: true, sameSite: 'lax', secure: site().publicUrl.protocol === 'https:' }) as const;

  serveCall(app, signInNonce, async ({ raw }) =>
    ok(await createNonce(context, site().domainFor(raw.headers.host))),
  );
  serveCall(app, signInCall, async ({ body, reply }) => {
    const signedInUser = await signIn(context, {
      address: body.address,
      signedMessage: Buffer.from(body.signedMessage, 'base64'),
      signature: Buffer.from(body.signature, 'base64'),
    });
    if (!signedInUser.ok) return signedInUser;
    const { user, token } = signedInUser.value;
    reply.setCookie(SESSION_COOKIE, token, { ...cookie(), maxAge: SESSION_TTL_MS / 1000 });
    return ok({ status: 'success', user: await describeUser(context, user) });
  });
  serveCall(app, signOut, async ({ raw, reply }) => {
    const token = raw.cookies[SESSION_COOKIE];
    if (token !== undefined) await closeSession(context, token);
    reply.clearCookie(SESSION_COOKIE, cookie());
    return ok({ status: 'success' });
  });
  serveCall(
    app,
    signOutEverywhere,
    signedIn(context, async (user, { reply }) => {
      await closeSessionsOf(context.db, user.id);
      reply.clearCookie(SESSION_COOKIE, cookie());
      return ok({ status: 'success' });
    }),
  );
  serveCall(
    app,
    readProfile,
    signedIn(context, async (user) => ok({ status: 'success', user: await describeUser(context, user) })),
  );
  serveCall(
    app,
    renameProfile,
    signedIn(context, async (user, { body }) => {
      const renamed = await rename(context, user, body.name);
      return renamed.ok ? ok({ status: 'success', newValue: renamed.value }) : renamed;
    }),
  );
  serveCall(
    app,
    chooseColourCall,
    signedIn(context, async (user, { body }) => {
      await chooseColour(context, user, body.colour);
      return ok({ status: 'success' });
    }),
  );
  serveCall(
    app,
    markGuidedCall,
    signedIn(context, async (user) => {
      await markGuided(context, user);
      return ok({ status: 'success' });
    }),
  );
  serveCall(
    app,
    submitReferralCall,
    signedIn(context, async (user, { body, client }) => {
      const submitted = await guesses.limit(
        { user, client },
        () => submitAccessCode(context, user, body.code),
        (result) => !result.ok && result.error.code === 'ACCESS_CODE_INVALID',
      );
      return submitted.ok ? ok({ status: 'success', message: 'Access Granted' }) : submitted;
    }),
  );
}
