import { formatAmount, SOL } from '@engulf/domain/money/amount';
import { readStatistics } from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { countText, durationText } from '../../shared/format.ts';
import { useDailyGoal, useRecords } from '../../shared/records.ts';
import { TEXT } from '../../shared/text.ts';
import { Amount } from '../../ui/chip.tsx';
import { Skeleton } from '../../ui/panel.tsx';
import { TabList, TabPage, Tabs } from '../../ui/tabs.tsx';
import { GoalLine } from './goal-line.tsx';
import styles from './stats-tiles.module.css';

type Page = 'sol' | 'free' | 'paid';

/** Sums of SOL lobbies, and the best lives of free and paid play. */
export function Stats() {
  const [page, setPage] = useState<Page>('sol');
  const { statsPages } = TEXT.statsFeed;
  const goal = useDailyGoal();
  return (
    <Tabs className={styles.pages} value={page} onChange={setPage}>
      <div className={styles.picker}>
        <TabList
          label={TEXT.statsFeed.tabs.stats}
          value={page}
          tabs={(['sol', 'free', 'paid'] as const).map((value) => ({ value, label: statsPages[value] }))}
        />
      </div>
      {page === 'free' && goal && <GoalLine goal={goal} />}
      <TabPage className={styles.page} value="sol">
        <SolTiles />
      </TabPage>
      <TabPage className={styles.page} value="free">
        <RecordTiles isFree />
      </TabPage>
      <TabPage className={styles.page} value="paid">
        <RecordTiles isFree={false} />
      </TabPage>
    </Tabs>
  );
}

function RecordTiles({ isFree }: { isFree: boolean }) {
  const best = useRecords(isFree);
  const { records } = TEXT.statsFeed;
  return (
    <dl className={styles.tiles}>
      <Tile label={records.bestMass}>{best && countText(best.bestMass)}</Tile>
      <Tile label={records.longestLife}>{best && durationText(best.longestLifeSeconds * 1000)}</Tile>
      <Tile label={records.bestMultiple}>{best && `x${best.bestMultiple.toFixed(2)}`}</Tile>
      <Tile label={records.kills}>{best && countText(best.kills)}</Tile>
      <Tile label={records.bestStreak}>{best && countText(best.bestStreak)}</Tile>
      <Tile label={records.lives}>{best && countText(best.lives)}</Tile>
    </dl>
  );
}

function SolTiles() {
  const { data } = useQuery({
    queryKey: ['own', 'statistics'],
    queryFn: async () => answerOrThrow(await callApi(readStatistics, {})).data,
    refetchInterval: 30_000,
  });
  const { stats } = TEXT.statsFeed;
  return (
    <dl className={styles.tiles}>
      <Tile label={stats.deposited}>{data && <Sol lamports={data.depositedAmount} />}</Tile>
      <Tile label={stats.winnings}>{data && <Sol lamports={data.winningAmount} isGain />}</Tile>
      <Tile label={stats.gamesPlayed}>{data && String(data.gamesPlayed)}</Tile>
      <Tile label={stats.winRate}>{data && `${Math.round(data.winrate)}%`}</Tile>
      <Tile label={stats.biggestWin}>{data && <Sol lamports={data.biggestWin} />}</Tile>
      <Tile label={stats.winStreak}>{data && String(data.winStreak)}</Tile>
    </dl>
  );
}

function Tile({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.tile}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children || <Skeleton className={styles.loading} />}</dd>
    </div>
  );
}

function Sol({ lamports, isGain = false }: { lamports: string; isGain?: boolean }) {
  const amount = BigInt(lamports);
  return (
    <Amount
      figure={formatAmount(amount, SOL)}
      unit={SOL.symbol}
      tone={isGain && amount > 0n ? 'profit' : 'plain'}
    />
  );
}
