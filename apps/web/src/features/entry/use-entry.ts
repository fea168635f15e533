import type { PublicConfig } from '@engulf/protocol/http/config';
import {
  joinLobby,
  readPaymentStatus,
  reportPaymentFailure,
  validateLobbyCode,
} from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { storage } from '../../shared/storage.ts';
import { useWalletStore } from '../../shared/stores/wallet-store.ts';
import { showToast } from '../../ui/toast.tsx';
import { type EntryDeps, type EntryEnd, type EntryProgress, runEntry } from './entry-flow.ts';

type Outcomes = {
  onClose: () => void;
  onPlay: (ticket: Extract<EntryEnd, { kind: 'play' }>) => void;
  onConflict: (conflict: Extract<EntryEnd, { kind: 'conflict' }>['conflict']) => void;
};

export function useEntry(lobby: Lobby, user: User, config: PublicConfig, outcomes: Outcomes) {
  const [progress, setProgress] = useState<EntryProgress>();
  const [isCodeWrong, setCodeWrong] = useState(false);

  /** What a closed popup leaves behind: nothing of this payment. */
  const clear = () => storage.remove('txSignature', 'paymentSessionId', 'deposit');

  const start = async (lobbyCode: string | undefined) => {
    const end = await runEntry({ lobby, lobbyCode }, entryDeps(user, config), setProgress);
    if (end.kind === 'play') {
      clear();
      outcomes.onPlay(end);
      return;
    }
    setProgress(undefined);
    if (end.kind === 'conflict') {
      outcomes.onConflict(end.conflict);
      return;
    }
    setCodeWrong(end.isCodeWrong ?? false);
    if (end.notice) showToast('danger', end.notice);
    if (end.isPopupClosing) {
      clear();
      outcomes.onClose();
    }
  };

  return { progress, isCodeWrong, start, clear, forgetCodeError: () => setCodeWrong(false) };
}

function entryDeps(user: User, config: PublicConfig): EntryDeps {
  return {
    join: (body) => callApi(joinLobby, { body }),
    checkCode: (body) => callApi(validateLobbyCode, { body }),
    readStatus: (paymentSessionId) => callApi(readPaymentStatus, { query: { paymentSessionId } }),
    reportFailure: (lobbyId) => callApi(reportPaymentFailure, { body: { lobbyId } }),
    pay: async (lobby, onSigned) => {
      // The chain's client is heavy and free players never need it.
      const { payEntry } = await import('./pay-entry.ts');
      const { connected } = useWalletStore.getState();
      return payEntry({ config, connected, payer: user.walletAddress, lobby, onSigned });
    },
    storage,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  };
}
