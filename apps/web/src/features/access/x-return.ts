import { describeFailure, ERRORS, failure } from '@engulf/domain/errors/registry';
import { verifyTwitterLogin } from '@engulf/protocol/http/social';
import type { User } from '@engulf/protocol/user';
import { useEffect, useState } from 'react';
import { type ApiFailure, callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';

type XReturn = { readonly code: string; readonly state: string } | 'cancelled';

let taken: { readonly answer: XReturn | undefined } | undefined;
let isHandled = false;

/** The parameters of X's redirect, removed from the address so that a reload does not use them again. */
function takeXReturn(): XReturn | undefined {
  taken ??= { answer: readXReturn() };
  return taken.answer;
}

function readXReturn(): XReturn | undefined {
  const query = new URLSearchParams(window.location.search);
  const [code, state, error] = ['code', 'state', 'error'].map((name) => query.get(name));
  if (!error && !(code && state)) return undefined;
  window.history.replaceState(null, '', '/');
  return error ? 'cancelled' : { code: code!, state: state! };
}

/** Completes the connection after X sent the browser back. True while that runs. */
export function useXReturn(user: User | null | undefined, onConnected: () => Promise<unknown>): boolean {
  const [returned] = useState(takeXReturn);
  const [isPending, setPending] = useState(returned !== undefined && returned !== 'cancelled');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, as soon as the user is known.
  useEffect(() => {
    if (returned === undefined || user === undefined || isHandled) return;
    isHandled = true;
    void finish(returned, user, onConnected).finally(() => setPending(false));
  }, [user]);
  return isPending;
}

async function finish(
  answer: XReturn,
  user: User | null,
  onConnected: () => Promise<unknown>,
): Promise<void> {
  if (answer === 'cancelled') return showToast('portal', describeFailure(failure('SOCIAL_CANCELLED')));
  if (!user) return showToast('danger', describeFailure(failure('LOGIN_REQUIRED')));
  const verified = await callApi(verifyTwitterLogin, { query: answer });
  if (!verified.ok) return showToast('danger', describeXFailure(verified.error));
  showToast('profit', { title: TEXT.tasks.xConnected });
  await onConnected();
}

export function describeXFailure({ code, httpStatus, message }: ApiFailure): { title: string; text: string } {
  if (httpStatus === 429) return describeFailure(failure('SOCIAL_RATE_LIMITED'));
  if (code === 'SOCIAL_ALREADY_CONNECTED') return describeFailure(failure('SOCIAL_ALREADY_CONNECTED'));
  const { title, text } = ERRORS.SOCIAL_CONNECTION_FAILED;
  return { title, text: message || text };
}
