import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import type { LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { useCallback, useEffect, useRef } from 'react';
import { type MenuSocket, openMenuSocket } from '../shared/api/menu-socket.ts';
import { useUserCache } from '../shared/api/queries.ts';
import { storage } from '../shared/storage.ts';
import { useLeaderboardStore } from '../shared/stores/leaderboard-store.ts';
import { useLobbyStore } from '../shared/stores/lobby-store.ts';
import { showToast } from '../ui/toast.tsx';

type Reactions = {
  onConflict: (conflict: SessionConflict) => void;
  onKicked: () => void;
};

/** One menu socket for as long as the page lives; what it brings goes into the stores. */
export function useMenuSocket(user: User | null | undefined, reactions: Reactions) {
  const socketRef = useRef<MenuSocket>(undefined);
  const cache = useUserCache();
  const latest = useRef({ reactions, cache });
  latest.current = { reactions, cache };

  useEffect(() => {
    const socket = openMenuSocket({
      onLobbies: (lobbies) => useLobbyStore.getState().setLobbies(lobbies, Date.now()),
      onLobbyUpdate: (update) => useLobbyStore.getState().applyUpdate(update, Date.now()),
      onLeaderboard: (period, rows) => useLeaderboardStore.getState().setBoard(period, rows),
      onMultiplier: (multiplier) => latest.current.cache.patch({ multiplier }),
      onSessionWarning: (conflict) => latest.current.reactions.onConflict(conflict),
      onGameEnded: (message) => {
        if (message !== 'kicked') return;
        storage.remove('joinTicket', 'lobbyId', 'sessionId');
        showToast('danger', describeFailure(failure('SESSION_ENDED')));
        latest.current.reactions.onKicked();
      },
    });
    socketRef.current = socket;
    return () => socket.dispose();
  }, []);

  const address = user === undefined ? undefined : (user?.walletAddress ?? 'anonymous');
  useEffect(() => {
    if (address === undefined) return;
    socketRef.current?.register(isWalletAddress(address) ? address : undefined);
  }, [address]);

  const askLeaderboard = useCallback(
    (period: LeaderboardPeriod['event']) => socketRef.current?.askLeaderboard(period),
    [],
  );
  return { askLeaderboard };
}
