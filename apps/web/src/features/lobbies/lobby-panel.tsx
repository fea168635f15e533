import { LOBBY_LIVENESS } from '@engulf/domain/lobby/lobby-type';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import { useState } from 'react';
import { secondsUntilReady, useLeftMatch } from '../../shared/stores/left-match.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { nearestFirst, shownWay, useWays } from '../../shared/ways.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState, Panel, PanelHeader, SkeletonRows } from '../../ui/panel.tsx';
import { TabList, TabPage, Tabs } from '../../ui/tabs.tsx';
import styles from './lobby-panel.module.css';
import { LobbyRow } from './lobby-row.tsx';
import { lobbyRowState } from './lobby-row-state.ts';

type Kind = 'normal' | 'semi-private';

type LobbyPanelProps = {
  prices: PublicConfig['prices'];
  isSignedIn: boolean;
  selectedId: string | undefined;
  onSelect: (lobby: Lobby) => void;
  /** The row's main button: connect for visitors, enter for players. */
  onEnter: (lobby: Lobby) => void;
  onSpectate: (lobby: Lobby) => void;
};

export function LobbyPanel(props: LobbyPanelProps) {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const [kind, setKind] = useState<Kind>('normal');
  const isPrivate = (lobby: Lobby) => lobby.lobbyType === 'semi-private';
  const groups: { [kind in Kind]: readonly Lobby[] } = {
    normal: lobbies?.filter((lobby) => !isPrivate(lobby)) ?? [],
    'semi-private': lobbies?.filter(isPrivate) ?? [],
  };

  return (
    <Panel
      className={styles.panel}
      style={{ ['--rows' as string]: Math.max(groups.normal.length, groups['semi-private'].length) }}
    >
      <Tabs className={styles.tabs} value={kind} onChange={setKind}>
        <PanelHeader title={TEXT.lobbies.title}>
          {props.prices.areExamples && <Chip className={styles.examples}>{TEXT.lobbies.examplePrices}</Chip>}
          <TabList
            label={TEXT.lobbies.kinds}
            value={kind}
            tabs={[
              { value: 'normal', label: TEXT.lobbies.normal, count: lobbies && groups.normal.length },
              {
                value: 'semi-private',
                label: TEXT.lobbies.semiPrivate,
                count: lobbies && groups['semi-private'].length,
              },
            ]}
          />
        </PanelHeader>
        <TabPage className={styles.page} value={kind}>
          {lobbies ? (
            <LobbyTable {...props} lobbies={groups[kind]} />
          ) : (
            <SkeletonRows count={5} label={TEXT.loading} />
          )}
        </TabPage>
      </Tabs>
    </Panel>
  );
}

function LobbyTable({
  lobbies,
  selectedId,
  isSignedIn,
  prices,
  ...row
}: LobbyPanelProps & { lobbies: readonly Lobby[] }) {
  const ways = useWays();
  const pulses = useLobbyStore((state) => state.pulses);
  const nowMs = useNow(LOBBY_LIVENESS.checkEveryMs);
  const readyInS = secondsUntilReady(
    useLeftMatch((left) => left.untilMs),
    nowMs,
  );
  if (lobbies.length === 0) return <EmptyState text={TEXT.lobbies.none} />;
  const { columns } = TEXT.lobbies;
  return (
    <>
      <div className={styles.head} aria-hidden="true">
        <span />
        <span>{columns.lobby}</span>
        <span>{columns.entry}</span>
        <span>{columns.pool}</span>
        <span>{columns.players}</span>
      </div>
      <ul className={styles.list}>
        {nearestFirst(lobbies, ways).map((lobby, index) => (
          <LobbyRow
            key={lobby.id}
            {...row}
            prices={prices.usdMicro}
            lobby={lobby}
            state={lobbyRowState(lobby, {
              pulse: pulses[lobby.id],
              nowMs,
              isSignedIn,
              readyInS,
              wayMs: shownWay(lobby, lobbies, ways),
            })}
            isSelected={lobby.id === selectedId}
            isSignedIn={isSignedIn}
            seed={index}
          />
        ))}
      </ul>
    </>
  );
}
