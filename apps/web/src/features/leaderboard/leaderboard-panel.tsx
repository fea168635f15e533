import { formatAmount, SOL } from '@engulf/domain/money/amount';
import type { MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { LEADERBOARD_PERIODS, type LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import type { User } from '@engulf/protocol/user';
import { useEffect, useState } from 'react';
import { useLeaderboardStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { Avatar, Medal, type MedalRank, medalColour } from '../../ui/avatar.tsx';
import { Amount, Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, Panel, PanelHeader, SkeletonRows } from '../../ui/panel.tsx';
import { TabList, TabPage, Tabs } from '../../ui/tabs.tsx';
import styles from './leaderboard-panel.module.css';

const DEFAULT_TAB: LeaderboardPeriod['tab'] = '7D';
const MEDALS = 3;

const REFRESH_MS = 30_000;

type LeaderboardPanelProps = {
  user: User | null | undefined;
  onRequest: (period: LeaderboardPeriod['event']) => void;
};

export function LeaderboardPanel({ user, onRequest }: LeaderboardPanelProps) {
  const [tab, setTab] = useState<LeaderboardPeriod['tab']>(DEFAULT_TAB);
  const { event } = LEADERBOARD_PERIODS.find((period) => period.tab === tab)!;
  const rows = useLeaderboardStore((state) => state.boards[event]);

  useEffect(() => {
    onRequest(event);
    const timer = setInterval(() => onRequest(event), REFRESH_MS);
    return () => clearInterval(timer);
  }, [event, onRequest]);

  return (
    <Panel>
      <Tabs className={styles.tabs} value={tab} onChange={setTab}>
        <PanelHeader title={TEXT.leaderboard.title}>
          <TabList
            label={TEXT.leaderboard.periods}
            value={tab}
            tabs={LEADERBOARD_PERIODS.map((period) => ({ value: period.tab, label: period.tab }))}
          />
        </PanelHeader>
        <TabPage className={styles.page} value={tab}>
          <Board rows={rows} ownId={user?.id} />
        </TabPage>
      </Tabs>
    </Panel>
  );
}

function Board({ rows, ownId }: { rows: MenuLeaderboard | undefined; ownId: string | undefined }) {
  if (!rows) return <SkeletonRows count={9} label={TEXT.loading} />;
  if (rows.length === 0) return <EmptyState text={TEXT.leaderboard.none} />;
  return (
    <ol className={styles.list}>
      {rows.map((row, index) => (
        <BoardRow key={row._id} row={row} rank={index + 1} isOwn={row._id === ownId} />
      ))}
    </ol>
  );
}

type BoardRowProps = { row: MenuLeaderboard[number]; rank: number; isOwn: boolean };

function BoardRow({ row, rank, isOwn }: BoardRowProps) {
  const medal = rank <= MEDALS ? (rank as MedalRank) : undefined;
  const ring = medal ? medalColour(medal) : isOwn ? 'var(--eosin)' : undefined;
  return (
    <li className={classNames(styles.row, medal && styles.top, isOwn && styles.own)}>
      <span className={styles.rank}>{medal ? <Medal rank={medal} /> : rank}</span>
      <Avatar className={styles.avatar} name={row.player.name} url={row.player.avatarUrl} ring={ring} />
      <span className={styles.name}>
        <span className={styles.nameText}>{row.player.name}</span>
        {isOwn && (
          <Chip tone="own" className={styles.you}>
            {TEXT.leaderboard.you}
          </Chip>
        )}
      </span>
      <Amount
        className={styles.amount}
        figure={formatAmount(BigInt(row.totalWinningAmount), SOL)}
        unit={SOL.symbol}
      />
    </li>
  );
}
