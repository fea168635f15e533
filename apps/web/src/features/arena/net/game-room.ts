import { describeFailure, failure } from '@engulf/domain/errors/registry';
import {
  LEAVE_TO_MENU_CLOSE_CODE,
  PAID_SPECTATOR_DELAY_SECONDS,
} from '@engulf/protocol/room/server-messages';
import { type Pinger, startPinger } from './connection-metrics.ts';
import {
  createConnectionWatch,
  excuseSilence,
  isLost,
  isRejoinDue,
  judgeConnection,
  noteBroken,
  noteConnected,
  noteHeard,
  noteVisibility,
} from './connection-watch.ts';
import type { ArenaEvents, Countdown, RoomMessage } from './events.ts';
import { createMatchLink, type MatchLink, type MatchLinkDeps } from './match-link.ts';

type GameRoomDeps = MatchLinkDeps & {
  /** Spectators of a paid lobby see it later. */
  readonly isFree: boolean;
  /** 0: a hidden tab does not leave the match. */
  readonly tabHiddenTimeoutMs: number;
  readonly events: ArenaEvents;
  readonly screen: { readonly widthPx: number; readonly heightPx: number };
  /** Resolves when the arena can be drawn; a player spawns only then. */
  readonly canDraw: Promise<unknown>;
  /** Returns whether the state could be applied; if not, the room is asked for a snapshot. */
  readonly onState: (bytes: Uint8Array) => 'applied' | 'needsFull';
};

export type GameRoom = {
  /** Returns whether it was sent: nothing is while the line is down or silent. */
  send: MatchLink['send'];
  dispose(): void;
};

/** Colyseus closes with it when the room does, after the end of its match. */
const ROOM_CLOSED_CODE = 4000;
const WATCH_EVERY_MS = 200;
/** A snapshot takes a moment to arrive; asking again before that would only delay it. */
const ASK_FULL_EVERY_MS = 1_000;

/** One stay in a room: joins, publishes what happens and watches the connection. */
export function enterRoom(deps: GameRoomDeps): GameRoom {
  const { events, visit, tabHiddenTimeoutMs } = deps;
  const isSpectator = visit.type === 'spectator';
  const isDelayed = isSpectator && !deps.isFree;
  const stateDelayMs = isDelayed ? PAID_SPECTATOR_DELAY_SECONDS * 1000 : 0;
  let pinger: Pinger | undefined;
  const newWatch = () =>
    createConnectionWatch({ isSpectator, tabHiddenTimeoutMs, stateDelayMs }, performance.now());
  let watch = newWatch();
  let watchTimer: ReturnType<typeof setInterval> | undefined;
  let countdown: Countdown | undefined;
  let askedFullMs = Number.NEGATIVE_INFINITY;
  let isDrawable = false;
  let isSpawnDue = false;
  let isOver = false;
  let hasLeft = false;
  let isDisposed = false;
  const link = createMatchLink(deps, {
    handlers: { onState, onMessage, onDropped, onReconnected, onClosed },
    onJoined: () => noteConnected(watch, performance.now()),
    isWanted: () => !isDisposed && !isOver && !hasLeft,
    isRejoinDue: () => isRejoinDue(watch, performance.now()),
  });

  document.addEventListener('visibilitychange', onVisibility);
  void enter();
  deps.canDraw.then(
    () => {
      isDrawable = true;
      if (isSpawnDue) spawn();
    },
    () => {},
  );

  return {
    // What goes into a silent line arrives late or never.
    send: (...message) => !isLost(watch, performance.now()) && link.send(...message),
    dispose() {
      isDisposed = true;
      document.removeEventListener('visibilitychange', onVisibility);
      hangUp();
    },
  };

  async function enter(): Promise<void> {
    const joined = await link.enter();
    if (isDisposed) return;
    if (!joined.ok) {
      if (joined.error.code === 'ROOM_CONNECTION_TIMEOUT') leave(describeFailure(joined.error));
      else events.publish({ type: 'joinFailed', failure: joined.error });
      return;
    }
    events.publish({ type: 'joined' });
    watch = newWatch();
    onVisibility();
    pinger = startPinger(
      (ping) => link.send('ping', ping),
      (metrics) => events.publish({ type: 'connectionMeasured', metrics }),
    );
    watchTimer = setInterval(checkConnection, WATCH_EVERY_MS);
  }

  function onState(bytes: Uint8Array): void {
    noteHeard(watch, performance.now());
    pinger?.noteReceived(bytes.length);
    if (deps.onState(bytes) === 'needsFull') askFull();
  }

  function askFull(): void {
    const nowMs = performance.now();
    if (nowMs - askedFullMs < ASK_FULL_EVERY_MS) return;
    askedFullMs = nowMs;
    link.send('fullUpdate');
  }

  function onMessage(message: RoomMessage): void {
    if (message.type === 'pong') {
      pinger?.notePong(message.payload.id);
      return;
    }
    events.publish(message);
    switch (message.type) {
      case 'welcome':
        // If the player already has a body, this only updates the size of the screen.
        if (!isSpectator) spawn();
        break;
      case 'kicked':
        leave(describeFailure(failure('KICKED', { reason: message.payload.reason })));
        break;
      case 'kick':
        leave(describeFailure(failure('KICKED_FROM_SERVER', { reason: message.payload.reason })));
        break;
      case 'game_ended':
        if (message.payload.message === 'kicked') leave(describeFailure(failure('SESSION_ENDED')));
        break;
      case 'matchMoved':
        noteBroken(watch, performance.now());
        link.follow(message.payload);
        break;
      case 'gameOver':
        isOver = true;
        stopWatching();
        break;
    }
  }

  function spawn(): void {
    isSpawnDue = !isDrawable;
    if (isSpawnDue) return;
    const { widthPx: screenWidth, heightPx: screenHeight } = deps.screen;
    link.send('spawn', { name: deps.user.name, screenWidth, screenHeight });
  }

  function onReconnected(): void {
    noteConnected(watch, performance.now());
    askFull();
  }

  function onDropped(code: number): void {
    if (isOver) return;
    if (code === LEAVE_TO_MENU_CLOSE_CODE) leave();
    else noteBroken(watch, performance.now());
  }

  function onClosed(code: number): void {
    // Players are told how the game ended before the room closes.
    if (isSpectator && code === ROOM_CLOSED_CODE) leave(describeFailure(failure('LOBBY_CLOSED')));
    else onDropped(code);
  }

  function onVisibility(): void {
    noteVisibility(watch, document.hidden, performance.now());
  }

  function checkConnection(): void {
    const nowMs = performance.now();
    if (isSpawnDue) excuseSilence(watch, nowMs);
    const verdict = judgeConnection(watch, nowMs);
    switch (verdict.kind) {
      case 'leave':
        leave(describeFailure(failure('DISCONNECTED')));
        return;
      case 'disconnected':
        isOver = true;
        events.publish({ type: 'disconnected' });
        hangUp();
        return;
      case 'fine':
        showCountdown(undefined);
        break;
      default:
        showCountdown(verdict);
    }
    if (isRejoinDue(watch, nowMs)) link.rejoin();
  }

  function showCountdown(next: Countdown | undefined): void {
    if (countdown?.kind === next?.kind && countdown?.secondsLeft === next?.secondsLeft) return;
    countdown = next;
    events.publish({ type: 'countdown', countdown });
  }

  function leave(reason?: { title: string; text: string }): void {
    if (isDisposed || hasLeft) return;
    hasLeft = true;
    hangUp();
    events.publish({ type: 'left', reason: reason && { title: reason.title, text: reason.text } });
  }

  function hangUp(): void {
    stopWatching();
    link.leave();
  }

  function stopWatching(): void {
    pinger?.stop();
    clearInterval(watchTimer);
  }
}
