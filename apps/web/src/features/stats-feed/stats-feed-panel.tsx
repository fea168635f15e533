import type { PublicConfig } from '@engulf/protocol/http/config';
import { type ReactNode, useState } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Panel } from '../../ui/panel.tsx';
import { TabList, TabPage, Tabs } from '../../ui/tabs.tsx';
import { ActivityList } from './activity-list.tsx';
import { GamesList, type LeftGame } from './games-list.tsx';
import styles from './stats-feed-panel.module.css';
import { Stats } from './stats-tiles.tsx';

type StatsFeedTab = 'activity' | 'games' | 'stats';

type StatsFeedPanelProps = {
  config: PublicConfig;
  isSignedIn: boolean;
  onConnect: () => void;
  onVerify: (matchId: string) => void;
  initialTab?: StatsFeedTab | undefined;
  /** The refund of this one is on its way. */
  leftGame?: LeftGame | undefined;
};

export function StatsFeedPanel(props: StatsFeedPanelProps) {
  const { config, isSignedIn, onConnect, onVerify, initialTab, leftGame } = props;
  const [tab, setTab] = useState<StatsFeedTab>(initialTab ?? 'activity');
  const [note, setNote] = useState<ReactNode>();
  const connect = (
    <EmptyState text={TEXT.statsFeed.connect}>
      <Button size="sm" onClick={onConnect}>
        {TEXT.topBar.connectWallet}
      </Button>
    </EmptyState>
  );
  const notes: { [tab in StatsFeedTab]: ReactNode } = {
    activity: TEXT.statsFeed.activityNote,
    games: isSignedIn ? note : undefined,
    stats: undefined,
  };

  return (
    <Panel className={styles.panel}>
      <Tabs className={styles.tabs} value={tab} onChange={setTab}>
        <header className={styles.header}>
          <TabList
            label={TEXT.statsFeed.label}
            value={tab}
            tabs={(['activity', 'games', 'stats'] as const).map((value) => ({
              value,
              label: TEXT.statsFeed.tabs[value],
            }))}
          />
          <span className={styles.note}>{notes[tab]}</span>
        </header>
        <TabPage className={styles.page} value="activity">
          <ActivityList onVerify={onVerify} />
        </TabPage>
        <TabPage className={styles.page} value="games">
          {isSignedIn ? (
            <GamesList
              explorerUrl={config.explorerUrl}
              leftGame={leftGame}
              onNote={setNote}
              onVerify={onVerify}
            />
          ) : (
            connect
          )}
        </TabPage>
        <TabPage className={styles.page} value="stats">
          {isSignedIn ? <Stats /> : connect}
        </TabPage>
      </Tabs>
    </Panel>
  );
}
