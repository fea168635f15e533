import { ERRORS } from '@engulf/domain/errors/registry';
import type { PublicConfig } from '@engulf/protocol/http/config';
import {
  joinLobby,
  readPaymentStatus,
  reportPaymentFailure,
  validateLobbyCode,
} from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { useRef, useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import {
  entryRecord,
  type OpenPayment,
  PAYMENT_ITEMS,
  SEAT_ITEMS,
  unclaimedPaymentsOf,
} from '../../shared/entry-record.ts';
import { createInputsKey } from '../../shared/inputs-keys.ts';
import { paymentNews } from '../../shared/payment-news.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import { isCalledTo } from '../../shared/stores/gathering-store.ts';
import { useWalletStore } from '../../shared/stores/wallet-store.ts';
import { showToast } from '../../ui/toast.tsx';
import { type EntryDeps, type EntryProgress, runEntry } from './entry-flow.ts';
import { type Notice, refused } from './join-failure.ts';

export type EntryOutcomes = {
  onClose: () => void;
  onPlay: (joinTicket: string) => void;
  onConflict: (conflict: SessionConflict) => void;
};

export function useEntry(lobby: Lobby, user: User, config: PublicConfig, outcomes: EntryOutcomes) {
  const [progress, setProgress] = useState<EntryProgress>();
  const [isCodeWrong, setCodeWrong] = useState(false);
  const [ownLimit, setOwnLimit] = useState<Notice>();
  const cancelling = useRef(new AbortController());

  const close = () => {
    entryRecord.remove(...PAYMENT_ITEMS, ...SEAT_ITEMS);
    outcomes.onClose();
  };

  /** As if the wallet, which may be silent, had said that the player does not pay. */
  const cancel = () => cancelling.current.abort(new Error('User rejected the request'));

  const start = async (lobbyCode: string | undefined, openPayment?: OpenPayment) => {
    const request = { lobby, lobbyCode, openPayment };
    cancelling.current = new AbortController();
    const deps = entryDeps(user, config, cancelling.current.signal);
    const end = await runEntry(request, deps, setProgress).catch((error: unknown) => {
      console.error('the entry broke off', error);
      return refused(ERRORS.JOIN_FAILED);
    });
    if (end.kind === 'play') {
      entryRecord.remove(...PAYMENT_ITEMS);
      outcomes.onPlay(end.joinTicket);
      return;
    }
    setProgress(undefined);
    if (end.kind === 'conflict') {
      // The popup closes with it.
      entryRecord.remove(...PAYMENT_ITEMS, ...SEAT_ITEMS);
      outcomes.onConflict(end.conflict);
      return;
    }
    setCodeWrong(end.isCodeWrong ?? false);
    if (end.isOwnLimit) setOwnLimit(end.notice);
    else if (end.notice) showToast('danger', end.notice);
    if (end.closesPopup) close();
  };

  return { progress, isCodeWrong, ownLimit, start, cancel, close, clearCodeError: () => setCodeWrong(false) };
}

/** The money is on its way: a question about it that hangs in a dead connection is asked again soon. */
const ANSWERED_WITHIN_MS = 6_000;
/** Nothing is paid yet: somebody who waits for a seat on a dead connection hears of it, and may press again. */
const SEATED_WITHIN_MS = 12_000;

const LEFT_GAME_CHECK_MS = 1_000;

export function entryDeps(user: User, config: PublicConfig, signal?: AbortSignal): EntryDeps {
  return {
    join: async (body) => {
      const withinMs = body.isPaymentConfirmation ? ANSWERED_WITHIN_MS : SEATED_WITHIN_MS;
      for (;;) {
        const joined = await callApi(joinLobby, { body, withinMs });
        // A free game that the player left for this one takes some seconds to end.
        const isLeaving = !joined.ok && joined.error.code === 'ACTIVE_SESSION_EXISTS';
        if (!isLeaving || !isCalledTo(body.selectedLobbyId, serverNowMs())) return joined;
        await new Promise((done) => setTimeout(done, LEFT_GAME_CHECK_MS));
      }
    },
    checkCode: (body) => callApi(validateLobbyCode, { body }),
    readStatus: (paymentSessionId) =>
      callApi(readPaymentStatus, { query: { paymentSessionId }, withinMs: ANSWERED_WITHIN_MS }),
    awaitNews: paymentNews.wait,
    reportFailure: (lobbyId) => callApi(reportPaymentFailure, { body: { lobbyId } }),
    pay: async (lobby, onSigned) => {
      // Loaded on demand: the chain client is heavy, and free players never need it.
      const { payEntry } = await import('./pay-entry.ts');
      const { connected } = useWalletStore.getState();
      const payer = user.walletAddress;
      const inputsKey = await createInputsKey();
      return payEntry({ config, connected, payer, lobby, onSigned, inputsKey, signal });
    },
    record: entryRecord,
    unclaimed: unclaimedPaymentsOf(user.walletAddress),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  };
}
