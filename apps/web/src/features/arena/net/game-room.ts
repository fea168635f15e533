import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { LEAVE_TO_MENU_CLOSE_CODE, type RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { User } from '@engulf/protocol/user';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { ArenaVisit } from '../arena-visit.ts';
import { type Pinger, startPinger } from './connection-metrics.ts';
import {
  createConnectionWatch,
  judgeConnection,
  noteBroken,
  noteHeard,
  noteVisibility,
} from './connection-watch.ts';
import type { ArenaEvents, Countdown, RoomMessage } from './events.ts';
import type { JoinRoom, RoomLink } from './room-client.ts';

type MatchMoved = RoomServerPayload<'matchMoved'>;

type GameRoomDeps = {
  readonly visit: ArenaVisit;
  /** The same visit where the match goes on; undefined if it is not known yet, or over. */
  readonly findMatch: (visit: ArenaVisit) => Promise<ArenaVisit | undefined>;
  /** The same visit with what the menu knows of its lobby by now. */
  readonly renewLobby: (visit: ArenaVisit) => ArenaVisit;
  readonly user: User;
  /** Where rooms are when their lobby does not say; null for the page's own address. */
  readonly gameUrl: string | null;
  /** 0: a hidden tab does not leave the match. */
  readonly tabHiddenTimeoutMs: number;
  readonly events: ArenaEvents;
  readonly joinRoom: JoinRoom;
  readonly screen: { readonly widthPx: number; readonly heightPx: number };
  /** Resolves when the arena can be drawn. Nobody enters it blind. */
  readonly canDraw: Promise<unknown>;
  /** Returns whether the state could be applied; if not, the room is asked for a snapshot. */
  readonly onState: (bytes: Uint8Array) => 'applied' | 'needsFull';
};

export type GameRoom = {
  send: RoomLink['send'];
  dispose(): void;
};

const WATCH_EVERY_MS = 200;
/** For as long as a body waits, and a lobby whose process has ended takes to open again. */
const FOLLOW_EVERY_MS = 500;
const FOLLOW_TRIES = 20;
/** What a process takes to open a match that it is given. */
const OPENING_MS = 200;
/** A snapshot takes a moment to arrive; asking again before that would only delay it. */
const ASK_FULL_EVERY_MS = 1_000;

/** One stay in a room: joins, publishes what happens and watches the connection. */
export function enterRoom(deps: GameRoomDeps): GameRoom {
  const { events } = deps;
  let { visit } = deps;
  const isSpectator = visit.type === 'spectator';
  let link: RoomLink | undefined;
  let pinger: Pinger | undefined;
  const newWatch = () => createConnectionWatch(isSpectator, deps.tabHiddenTimeoutMs, performance.now());
  let watch = newWatch();
  let watchTimer: ReturnType<typeof setInterval> | undefined;
  let countdown: Countdown | undefined;
  let askedFullMs = Number.NEGATIVE_INFINITY;
  let isDrawable = false;
  let isSpawnDue = false;
  let isOver = false;
  let hasLeft = false;
  let isDisposed = false;

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
    send: (...message) => link?.send(...message),
    dispose() {
      isDisposed = true;
      document.removeEventListener('visibilitychange', onVisibility);
      hangUp();
    },
  };

  function join(): ReturnType<JoinRoom> {
    return deps.joinRoom(endpointOf(visit, deps.gameUrl), joinOptionsOf(visit, deps.user), {
      onState,
      onMessage,
      onDropped: (code) => {
        if (code === LEAVE_TO_MENU_CLOSE_CODE) leave();
        else noteBroken(watch, performance.now());
      },
      onReconnected: () => askFull(),
      onClosed,
    });
  }

  /** A lobby that is offline now was not when the seat was given: it opens again, perhaps in another process. */
  async function joinWhenOpen(): ReturnType<JoinRoom> {
    for (let tries = 1; ; tries++) {
      const joined = await join();
      const isOffline = !joined.ok && joined.error.code === 'LOBBY_OFFLINE';
      if (!isOffline || isDisposed || tries === FOLLOW_TRIES) return joined;
      await sleep(FOLLOW_EVERY_MS);
      visit = deps.renewLobby(visit);
    }
  }

  async function enter(): Promise<void> {
    const joined = await joinWhenOpen();
    if (isDisposed) {
      if (joined.ok) joined.value.leave();
      return;
    }
    if (!joined.ok) {
      if (joined.error.code === 'ROOM_CONNECTION_TIMEOUT') leave(describeFailure(joined.error));
      else events.publish({ type: 'joinFailed', failure: joined.error });
      return;
    }
    link = joined.value;
    events.publish({ type: 'joined' });
    watch = newWatch();
    onVisibility();
    pinger = startPinger(
      (ping) => link?.send('ping', ping),
      (metrics) => events.publish({ type: 'connectionMeasured', metrics }),
    );
    watchTimer = setInterval(checkConnection, WATCH_EVERY_MS);
  }

  /** The match goes on in another process; the body waits there. If it cannot be found, the watch gives up as usual. */
  async function followMatch(told: ArenaVisit | undefined): Promise<void> {
    link?.leave();
    link = undefined;
    noteBroken(watch, performance.now());
    let way = told;
    for (let tries = 0; tries < FOLLOW_TRIES && !isDisposed && !isOver && !hasLeft; tries++) {
      if (way) await sleep(OPENING_MS);
      else if (tries > 0) await sleep(FOLLOW_EVERY_MS);
      const found = way ?? (await deps.findMatch(visit));
      if (!found) continue;
      visit = found;
      const joined = await join();
      // It opens there in a moment. After anything else, the server is asked for the way.
      if (!joined.ok && joined.error.code !== 'LOBBY_OFFLINE') way = undefined;
      if (!joined.ok) continue;
      if (isDisposed || isOver || hasLeft) joined.value.leave();
      else link = joined.value;
      return;
    }
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
    link?.send('fullUpdate');
  }

  function onMessage(message: RoomMessage): void {
    if (message.type === 'pong') {
      pinger?.notePong(message.payload.id);
      return;
    }
    events.publish(message);
    switch (message.type) {
      case 'welcome':
        // Where the player has a body already, this only tells the size of the screen.
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
        void followMatch(wayOf(visit, message.payload));
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
    link?.send('spawn', { name: deps.user.name, screenWidth, screenHeight });
  }

  function onClosed(code: number): void {
    if (isDisposed || isOver) return;
    if (isSpectator || code === LEAVE_TO_MENU_CLOSE_CODE) leave();
    else noteBroken(watch, performance.now());
  }

  function onVisibility(): void {
    noteVisibility(watch, document.hidden, performance.now());
  }

  function checkConnection(): void {
    const verdict = judgeConnection(watch, performance.now());
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
        return;
      default:
        showCountdown(verdict);
    }
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
    link?.leave();
    link = undefined;
  }

  function stopWatching(): void {
    pinger?.stop();
    clearInterval(watchTimer);
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A lobby may name the server of its room. On localhost that is an address of the operator's own machine. */
function endpointOf({ lobby: { baseGame } }: ArenaVisit, gameUrl: string | null): string {
  const own = window.location.origin;
  const { origin, hostname, pathname } = new URL(baseGame ?? own);
  const isPathOfOurs = origin === own && pathname !== '/';
  const isUsable = baseGame !== null && (!LOOPBACK.has(hostname) || isPathOfOurs);
  return isUsable ? baseGame : (gameUrl ?? own);
}

/** The same visit where the room says that its match went. */
function wayOf(visit: ArenaVisit, { joinTicket, baseGame = null }: MatchMoved): ArenaVisit | undefined {
  if (visit.type !== 'player' || joinTicket === undefined) return undefined;
  return { ...visit, joinTicket, lobby: { ...visit.lobby, baseGame } };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function joinOptionsOf(visit: ArenaVisit, user: User): Parameters<JoinRoom>[1] {
  const shared = {
    lobbyId: visit.lobby.id,
    protocolVersion: PROTOCOL_VERSION,
    playerName: user.name,
    userId: user.id,
    playerId: user.id,
  } as const;
  return visit.type === 'player'
    ? { ...shared, type: 'player', joinTicket: visit.joinTicket }
    : { ...shared, type: 'spectator' };
}
