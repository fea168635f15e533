import type { LeaderboardPeriod, MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { create } from 'zustand';

type Period = LeaderboardPeriod['event'];

type LeaderboardState = {
  readonly boards: { readonly [period in Period]?: MenuLeaderboard };
  setBoard: (period: Period, rows: MenuLeaderboard) => void;
};

export const useLeaderboardStore = create<LeaderboardState>()((set) => ({
  boards: {},
  setBoard: (period, rows) => set(({ boards }) => ({ boards: { ...boards, [period]: rows } })),
}));
