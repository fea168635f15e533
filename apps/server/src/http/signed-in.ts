import { refuse } from '@engulf/domain/error-registry';
import type { HttpCall } from '@engulf/protocol/http/call';
import { SESSION_COOKIE } from '../auth/session-cookie.ts';
import { findSessionUser } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import type { UserRow } from '../profile/user-rows.ts';
import type { CallHandler, CallRequest } from './serve-call.ts';

type SignedInHandler<Call extends HttpCall> = (
  user: UserRow,
  request: CallRequest<Call>,
) => ReturnType<CallHandler<Call>>;

/** Lets through who has a session, as whom it says. */
export function signedIn<Call extends HttpCall>(
  context: Context,
  handle: SignedInHandler<Call>,
): CallHandler<Call> {
  return async (request) => {
    const token = request.raw.cookies[SESSION_COOKIE];
    const user = token === undefined ? undefined : await findSessionUser(context, token);
    return user ? handle(user, request) : refuse('UNAUTHENTICATED');
  };
}
