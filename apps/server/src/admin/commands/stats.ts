import { compareRollups } from '../../stats/compare-rollups.ts';
import { rebuildRollups } from '../../stats/rollups.ts';
import { type Command, defineChange } from '../command.ts';

const rebuild = defineChange({
  name: 'stats rebuild',
  about: 'Rebuilds rankings and statistics from all games.',
  notes: ['Settlements wait while it compares and rebuilds. --dry-run says what would be different.'],
  positionals: [],
  options: {},
  prepare: async ({ admin }) => {
    const { players, winnings, examples } = await compareRollups(admin);
    const isRight = players === 0 && winnings === 0;
    return {
      lines: isRight
        ? []
        : [`the totals of ${players} players and ${winnings} sums of leaderboards differ`, ...examples],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await rebuildRollups({ db: tx, nowMs: admin.nowMs });
          await note(tx, 'stats', { after: { players, winnings, examples } });
        });
      },
    };
  },
});

export const STATS_COMMANDS: readonly Command[] = [rebuild];
