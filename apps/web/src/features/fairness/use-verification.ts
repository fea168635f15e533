import type { CheckName, CheckReport } from '@engulf/verify/checks';
import type { OnlineVerdict } from '@engulf/verify/verify-online';
import { useEffect, useReducer } from 'react';
import { readKept } from '../../shared/kept-receipts.ts';
import type { VerifyAnswer, VerifyRequest } from './verify-messages.ts';

/** How far the check of a match has come in this page. */
export type Verification = {
  readonly reports: { readonly [check in CheckName]?: CheckReport };
  /** The last tick of the match, once it is known. */
  readonly finalTick: number | null;
  readonly result: OnlineVerdict | undefined;
  readonly hasFailed: boolean;
};

const UNCHECKED: Verification = {
  reports: {},
  finalTick: null,
  result: undefined,
  hasFailed: false,
};

function nextVerification(state: Verification, answer: VerifyAnswer | { type: 'restart' }): Verification {
  switch (answer.type) {
    case 'restart':
      return UNCHECKED;
    case 'report': {
      const { report, finalTick } = answer;
      return { ...state, finalTick, reports: { ...state.reports, [report.check]: report } };
    }
    case 'done':
      return { ...state, result: answer.result };
    case 'failed':
      return { ...state, hasFailed: true };
  }
}

/** Checks a match in a worker of its own, for as long as the component is there. */
export function useVerification(
  matchId: string,
  /** A new one checks again. */
  request: { readonly rpcUrl: string | undefined },
): Verification {
  const [state, dispatch] = useReducer(nextVerification, UNCHECKED);
  useEffect(() => {
    dispatch({ type: 'restart' });
    const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<VerifyAnswer>) => dispatch(data);
    worker.onerror = ({ message }) => dispatch({ type: 'failed', reason: message });
    const asked: VerifyRequest = {
      matchId,
      server: window.location.origin,
      rpcUrl: request.rpcUrl,
      kept: readKept(matchId),
    };
    worker.postMessage(asked);
    return () => worker.terminate();
  }, [matchId, request]);
  return state;
}
