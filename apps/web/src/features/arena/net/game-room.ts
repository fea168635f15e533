import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { LEAVE_TO_MENU_CLOSE_CODE } from '@engulf/protocol/room/server-messages';
import type { User } from '@engulf/protocol/user';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { ArenaSession } from '../../../shared/arena-session.ts';
import { hudAfter } from '../hud/hud-events.ts';
import type { HudStore } from '../hud/hud-state.ts';
import {
  createConnectionWatch,
  judgeConnection,
  noteBroken,
  noteHeard,
  noteVisibility,
} from './connection-watch.ts';
import { type Pinger, startPinger } from './pinger.ts';
import type { JoinRoom, RoomLink } from './room-client.ts';
import type { RoomEvent } from './room-event.ts';

export type GameRoomDeps = {
  readonly session: ArenaSession;
  readonly user: User;
  readonly hud: HudStore;
  readonly joinRoom: JoinRoom;
  readonly screen: { readonly widthPx: number; readonly heightPx: number };
  /** Returns whether the state could be applied; if not, the room is asked for a snapshot. */
  readonly onState: (bytes: Uint8Array) => 'applied' | 'needsFull';
  /** The ticket is used up. */
  readonly onJoined: () => void;
  /** Back to the menu, with something to tell the player or without. */
  readonly onLeave: (message?: { title: string; text: string }) => void;
};

export type GameRoom = {
  send: RoomLink['send'];
  readonly bytesReceived: number;
  dispose(): void;
};

const WATCH_EVERY_MS = 200;
/** A snapshot is on its way: asking again before it can be here would only make it later. */
const ASK_FULL_EVERY_MS = 1_000;

/** One stay in a room: joins, keeps the panels up to date, and watches whether the connection holds. */
export function enterRoom(deps: GameRoomDeps): GameRoom {
  const { session, hud } = deps;
  const isSpectator = session.type === 'spectator';
  let link: RoomLink | undefined;
  let pinger: Pinger | undefined;
  let watch = createConnectionWatch(isSpectator, performance.now());
  let watchTimer: ReturnType<typeof setInterval> | undefined;
  let askedFullMs = Number.NEGATIVE_INFINITY;
  let bytesReceived = 0;
  let isDisposed = false;

  document.addEventListener('visibilitychange', onVisibility);
  void join();

  return {
    send: (...message) => link?.send(...message),
    get bytesReceived() {
      return bytesReceived;
    },
    dispose() {
      isDisposed = true;
      document.removeEventListener('visibilitychange', onVisibility);
      hangUp();
    },
  };

  async function join(): Promise<void> {
    const joined = await deps.joinRoom(endpointOf(session), joinOptionsOf(deps), {
      onState,
      onEvent,
      onDropped: (code) => {
        if (code === LEAVE_TO_MENU_CLOSE_CODE) leave();
        else noteBroken(watch, performance.now());
      },
      onReconnected: () => askFull(),
      onClosed,
    });
    if (isDisposed) {
      if (joined.ok) joined.value.leave();
      return;
    }
    if (!joined.ok) {
      const { title, text } = describeFailure(joined.error);
      hud.setState({ phase: 'failed', failure: { title, text } });
      return;
    }
    link = joined.value;
    deps.onJoined();
    watch = createConnectionWatch(isSpectator, performance.now());
    onVisibility();
    pinger = startPinger(
      (ping) => link?.send('ping', ping),
      (connection) => hud.setState({ connection }),
    );
    watchTimer = setInterval(judge, WATCH_EVERY_MS);
  }

  function onState(bytes: Uint8Array): void {
    bytesReceived += bytes.length;
    noteHeard(watch, performance.now());
    if (deps.onState(bytes) === 'needsFull') askFull();
  }

  function askFull(): void {
    const nowMs = performance.now();
    if (nowMs - askedFullMs < ASK_FULL_EVERY_MS) return;
    askedFullMs = nowMs;
    link?.send('fullUpdate');
  }

  function onEvent(event: RoomEvent): void {
    if (event.type === 'pong') pinger?.notePong(event.payload.id);
    else if (event.type === 'welcome') {
      if (!isSpectator && event.payload.player === null) spawn();
    } else if (event.type === 'kicked') {
      leave(describeFailure(failure('KICKED', { reason: event.payload.reason })));
    }
    const { name: ownName } = deps.user;
    hud.setState((state) => hudAfter(state, event, { ownName, random: Math.random }));
    if (event.type === 'gameOver') stopWatching();
  }

  function spawn(): void {
    const { widthPx: screenWidth, heightPx: screenHeight } = deps.screen;
    link?.send('spawn', { name: deps.user.name, screenWidth, screenHeight });
  }

  function onClosed(code: number): void {
    if (isDisposed || hud.getState().end) return;
    if (isSpectator || code === LEAVE_TO_MENU_CLOSE_CODE) leave();
    else noteBroken(watch, performance.now());
  }

  function onVisibility(): void {
    noteVisibility(watch, document.hidden, performance.now());
  }

  function judge(): void {
    if (hud.getState().end) return;
    const verdict = judgeConnection(watch, performance.now());
    if (verdict.kind === 'leave') leave(describeFailure(failure('DISCONNECTED')));
    else if (verdict.kind === 'disconnected') {
      hud.setState({ end: { kind: 'disconnected' }, countdown: undefined });
      hangUp();
    } else {
      const countdown = verdict.kind === 'fine' ? undefined : verdict;
      const shown = hud.getState().countdown;
      if (shown?.kind !== countdown?.kind || shown?.secondsLeft !== countdown?.secondsLeft) {
        hud.setState({ countdown });
      }
    }
  }

  function leave(message?: { title: string; text: string }): void {
    if (isDisposed) return;
    hangUp();
    deps.onLeave(message);
  }

  function hangUp(): void {
    stopWatching();
    link?.leave();
    link = undefined;
  }

  function stopWatching(): void {
    pinger?.stop();
    clearInterval(watchTimer);
  }
}

function endpointOf({ lobby }: ArenaSession): string {
  return lobby.baseGame ?? window.location.origin;
}

function joinOptionsOf({ session, user }: GameRoomDeps): Parameters<JoinRoom>[1] {
  const shared = {
    lobbyId: session.lobby.id,
    protocolVersion: PROTOCOL_VERSION,
    playerName: user.name,
    userId: user.id,
  } as const;
  return session.type === 'player'
    ? { ...shared, type: 'player', joinTicket: session.joinTicket }
    : { ...shared, type: 'spectator' };
}
