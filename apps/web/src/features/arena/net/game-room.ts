import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import {
  CLOSE_CODES,
  LEAVE_TO_MENU_CLOSE_CODE,
  PAID_SPECTATOR_DELAY_SECONDS,
} from '@engulf/protocol/room/server-messages';
import { type Pinger, startPinger } from './connection-metrics.ts';
import type { ArenaEvents, RoomMessage } from './events.ts';
import { type GivenUp, guardConnection } from './guard-connection.ts';
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
  /** To be called after every frame. */
  noteFrame(elapsedMs: number): void;
  dispose(): void;
};

/** A snapshot takes a moment to arrive; asking again before that would only delay it. */
const ASK_FULL_EVERY_MS = 1_000;

/** One stay in a room: joins, publishes what happens and watches the connection. */
export function enterRoom(deps: GameRoomDeps): GameRoom {
  const { events, visit, tabHiddenTimeoutMs } = deps;
  const isSpectator = visit.type === 'spectator';
  const isDelayed = isSpectator && !deps.isFree;
  const link = createMatchLink(deps, {
    handlers: { onState, onMessage, onDropped, onReconnected, onClosed },
    onJoined: () => guard.noteConnected(),
    isWanted: () => !isDisposed && !isOver && !hasLeft,
    isRejoinDue: () => guard.isRejoinDue(),
  });
  const spawning = spawnOnceDrawable(deps.canDraw, () => {
    const { widthPx: screenWidth, heightPx: screenHeight } = deps.screen;
    link.send('spawn', { name: deps.user.name, screenWidth, screenHeight });
  });
  const guard = guardConnection({
    isSpectator,
    tabHiddenTimeoutMs,
    stateDelayMs: isDelayed ? PAID_SPECTATOR_DELAY_SECONDS * 1000 : 0,
    isSilenceExpected: spawning.isDue,
    onCountdown: (countdown) => events.publish({ type: 'countdown', countdown }),
    onGivenUp,
    onRejoinDue: link.rejoin,
  });
  let pinger: Pinger | undefined;
  let askedFullMs = Number.NEGATIVE_INFINITY;
  let isOver = false;
  let hasLeft = false;
  let isDisposed = false;
  void enter();

  return {
    // What goes into a silent line arrives late or never.
    send: (...message) => !guard.isLost() && link.send(...message),
    noteFrame: (elapsedMs) => pinger?.noteFrame(elapsedMs),
    dispose() {
      isDisposed = true;
      guard.dispose();
      hangUp();
    },
  };

  async function enter(): Promise<void> {
    const joined = await link.enter();
    if (isDisposed) return;
    if (!joined.ok) {
      if (joined.error.code === 'ROOM_CONNECTION_TIMEOUT') leave(joined.error);
      else events.publish({ type: 'joinFailed', failure: joined.error });
      return;
    }
    events.publish({ type: 'joined' });
    pinger = startPinger(
      (ping) => link.send('ping', ping),
      (metrics) => events.publish({ type: 'connectionMeasured', metrics }),
    );
    guard.start();
  }

  function onState(bytes: Uint8Array): void {
    guard.noteHeard();
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
        if (!isSpectator) spawning.request();
        break;
      case 'kicked':
        leave(failure('KICKED', { reason: message.payload.reason }));
        break;
      case 'kick':
        leave(failure('KICKED_FROM_SERVER', { reason: message.payload.reason }));
        break;
      case 'game_ended':
        if (message.payload.message === 'kicked') leave(failure('SESSION_ENDED'));
        break;
      case 'matchMoved':
        guard.noteBroken();
        link.follow(message.payload);
        break;
      case 'gameOver':
        isOver = true;
        stopWatching();
        break;
    }
  }

  function onReconnected(): void {
    guard.noteConnected();
    askFull();
  }

  function onDropped(code: number): void {
    if (isOver) return;
    if (code === LEAVE_TO_MENU_CLOSE_CODE) leave();
    else guard.noteBroken();
  }

  function onClosed(code: number): void {
    // Players are told how the game ended before the room closes.
    if (isSpectator && code === CLOSE_CODES.left) leave(failure('LOBBY_CLOSED'));
    else onDropped(code);
  }

  function onGivenUp(verdict: GivenUp): void {
    if (verdict.kind === 'leave') {
      leave(failure('DISCONNECTED'));
      return;
    }
    isOver = true;
    events.publish({ type: 'disconnected', wasHidden: verdict.wasHidden });
    hangUp();
  }

  function leave(reason?: Failure): void {
    if (isDisposed || hasLeft) return;
    hasLeft = true;
    hangUp();
    const described = reason && describeFailure(reason);
    events.publish({ type: 'left', reason: described && { title: described.title, text: described.text } });
  }

  function hangUp(): void {
    stopWatching();
    link.leave();
  }

  function stopWatching(): void {
    pinger?.stop();
    guard.stop();
  }
}

/** Holds a spawn back until the arena can be drawn. */
function spawnOnceDrawable(canDraw: Promise<unknown>, spawn: () => void) {
  let isDrawable = false;
  let isDue = false;
  canDraw.then(
    () => {
      isDrawable = true;
      if (isDue) request();
    },
    () => {},
  );
  return { request, isDue: () => isDue };

  function request(): void {
    isDue = !isDrawable;
    if (!isDue) spawn();
  }
}
