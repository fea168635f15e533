import { formatAmount, SOL } from '@engulf/domain/money/amount';
import { readStatistics } from '@engulf/protocol/http/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { Amount } from '../../ui/chip.tsx';
import { Skeleton } from '../../ui/panel.tsx';
import styles from './stats-tiles.module.css';

export function StatsTiles() {
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
