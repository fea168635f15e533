import type { MenuServerToClient } from '@engulf/protocol/menu/events';
import { create } from 'zustand';

type Sent = Parameters<MenuServerToClient['gathering']>[0];

/** What the user waits for, in one lobby at most. */
export type OwnGathering = Exclude<Sent, { state: 'away' }>;

type GatheringState = {
  readonly own: OwnGathering | undefined;
  set: (sent: Sent) => void;
};

export const useGatheringStore = create<GatheringState>()((set) => ({
  own: undefined,
  // Sent every second: the same object as long as nothing changes.
  set: (sent) =>
    set(({ own }) => {
      if (sent.state === 'away') return { own: undefined };
      const isSame =
        own?.state === sent.state &&
        own.lobbyId === sent.lobbyId &&
        (own.state !== 'called' || (sent.state === 'called' && own.endsAtMs === sent.endsAtMs));
      return isSame ? {} : { own: sent };
    }),
}));

/** Whether the user was called to pay for a seat in this lobby, and may still do so. */
export function isCalledTo(lobbyId: string, nowMs: number): boolean {
  const { own } = useGatheringStore.getState();
  return own?.state === 'called' && own.lobbyId === lobbyId && own.endsAtMs > nowMs;
}
