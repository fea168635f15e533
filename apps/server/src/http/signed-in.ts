import { refuse } from '@engulf/domain/errors/registry';
import type { HttpCall } from '@engulf/protocol/http/call';
import { SESSION_COOKIE } from '../accounts/session-cookie.ts';
import { findSessionUser } from '../accounts/sessions.ts';
import type { UserRow } from '../accounts/user-rows.ts';
import type { Context } from '../platform/context.ts';
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
