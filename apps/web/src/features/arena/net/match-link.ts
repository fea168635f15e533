import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import { roomEndpoint } from '@engulf/protocol/room/room-endpoint';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { User } from '@engulf/protocol/user';
import type { ArenaVisit } from '../arena-visit.ts';
import type { JoinRoom, RoomHandlers, RoomLink } from './room-link.ts';

export type MatchLinkDeps = {
  readonly visit: ArenaVisit;
  /** The same visit at the match's new address; undefined if it is not known yet or in time, or the match is over. */
  readonly findMatch: (visit: ArenaVisit) => Promise<ArenaVisit | undefined>;
  /** The same visit with the menu's current data of its lobby. */
  readonly renewLobby: (visit: ArenaVisit) => ArenaVisit;
  readonly user: User;
  /** Where rooms are when their lobby does not say; null for the page's own address. */
  readonly gameUrl: string | null;
  readonly joinRoom: JoinRoom;
};

type Owner = {
  /** Only called for the current link. */
  readonly handlers: RoomHandlers;
  onJoined(): void;
  /** False once the visit is over. */
  isWanted(): boolean;
  /** Whether the current link is lost. */
  isRejoinDue(): boolean;
};

/** A visit's link to its match, whichever room and connection that is. There is never more than one. */
export type MatchLink = {
  readonly send: RoomLink['send'];
  /** The first join. */
  enter(): Promise<Result<unknown, Failure>>;
  /** Opens the connection again or joins again, whichever works first, and keeps trying while the link is lost. */
  rejoin(): void;
  /** The match continues in another process, where the body waits. */
  follow(move: RoomServerPayload<'matchMoved'>): void;
  leave(): void;
};

/** As long as a body waits, and as a lobby needs to reopen after its process has ended. */
const RETRY_MS = 500;
const ENTER_TRIES = 20;
const ENTER_WITHIN_MS = 45_000;
/** A process that is taking over a match lets early players wait, so this is rarely needed. */
const OPENING_MS = 200;
const JOIN_WITHIN_MS = 4_000;

export function createMatchLink(deps: MatchLinkDeps, owner: Owner): MatchLink {
  let { visit } = deps;
  let current: { readonly attempt: number; readonly link: RoomLink } | undefined;
  let lastAttempt = 0;
  /** Joins that have not been answered. */
  let pending = 0;
  let isRejoining = false;
  /** The address that the room announced for its match, until it proves wrong. */
  let announced: ArenaVisit | undefined;

  return {
    send: (...message) => current?.link.send(...message) ?? false,
    enter,
    rejoin: () => void rejoin(),
    follow(move) {
      leave();
      announced = announcedVisit(visit, move);
      void rejoin();
    },
    leave,
  };

  function leave(): void {
    current?.link.leave();
    current = undefined;
  }

  async function enter(): Promise<Result<unknown, Failure>> {
    return (await within(ENTER_WITHIN_MS, tryToEnter())) ?? err(failure('ROOM_CONNECTION_TIMEOUT'));
  }

  /**
   * The seat may be paid for, so a join that found no way is tried again. A lobby that is offline now was not when the
   * seat was given: it opens again, perhaps in another process.
   */
  async function tryToEnter(): Promise<Result<unknown, Failure>> {
    for (let tries = 1; ; tries++) {
      const joined = await join();
      if (joined.ok || !owner.isWanted() || tries === ENTER_TRIES) return joined;
      const { code } = joined.error;
      if (code === 'JOIN_TICKET_INVALID' && tries > 1) {
        // An earlier try has traded the ticket for the seat, but the answer was lost.
        const found = await deps.findMatch(visit);
        if (!found) return joined;
        visit = found;
      } else if (code === 'LOBBY_OFFLINE' || code === 'DISCONNECTED') {
        await sleep(RETRY_MS);
        visit = deps.renewLobby(visit);
      } else return joined;
    }
  }

  async function rejoin(): Promise<void> {
    if (isRejoining) return;
    isRejoining = true;
    while (isRejoinWanted() && !(await tryToRejoin())) await sleep(announced ? OPENING_MS : RETRY_MS);
    isRejoining = false;
  }

  async function tryToRejoin(): Promise<boolean> {
    // A question may go into a connection that is as dead as the line. A new socket does not.
    current?.link.renew();
    const known = announced;
    const found = known ?? (await deps.findMatch(visit));
    if (!found || !isRejoinWanted()) return false;
    visit = found;
    const joined = await within(JOIN_WITHIN_MS, join());
    // It opens there in a moment. After any other failure, the server is asked for the address.
    const isOpening = joined?.ok === false && joined.error.code === 'LOBBY_OFFLINE';
    if (!isOpening && announced === known) announced = undefined;
    return joined?.ok === true;
  }

  function isRejoinWanted(): boolean {
    return owner.isWanted() && (!current || owner.isRejoinDue());
  }

  async function join(): ReturnType<JoinRoom> {
    const attempt = ++lastAttempt;
    pending++;
    const joined = await deps.joinRoom(
      roomEndpoint(visit.lobby, deps.gameUrl, window.location.origin),
      joinOptionsOf(visit, deps.user),
      handlersOf(attempt),
    );
    pending--;
    if (!joined.ok) return joined;
    // The room keeps the last connection, which is the latest attempt, however late it is answered.
    const isLatest = !current || attempt > current.attempt;
    if (!owner.isWanted() || !isLatest) {
      joined.value.leave();
      return joined;
    }
    leave();
    current = { attempt, link: joined.value };
    owner.onJoined();
    return joined;
  }

  /** A link that was replaced may still deliver something; it no longer matters. */
  function handlersOf(attempt: number): RoomHandlers {
    const { handlers } = owner;
    const isCurrent = () => current?.attempt === attempt;
    return {
      onState: (bytes) => isCurrent() && handlers.onState(bytes),
      onMessage: (message) => {
        // When the room admits a new connection it closes the old one, possibly before the new one is reported.
        const isReplaced = message.type === 'kicked' && pending > 0;
        if (isCurrent() && !isReplaced) handlers.onMessage(message);
      },
      onDropped: (code) => isCurrent() && handlers.onDropped(code),
      onReconnected: () => isCurrent() && handlers.onReconnected(),
      onClosed: (code) => isCurrent() && handlers.onClosed(code),
    };
  }
}

const sleep = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

/** Undefined if it takes longer. */
const within = <Value>(ms: number, promise: Promise<Value>) => Promise.race([promise, sleep(ms)]);

/** The same visit at the address that the room announced. */
function announcedVisit(
  visit: ArenaVisit,
  { joinTicket, baseGame = null }: RoomServerPayload<'matchMoved'>,
): ArenaVisit | undefined {
  if (visit.type !== 'player' || joinTicket === undefined) return undefined;
  return { ...visit, joinTicket, lobby: { ...visit.lobby, baseGame } };
}

function joinOptionsOf(visit: ArenaVisit, user: User): Parameters<JoinRoom>[1] {
  const shared = {
    lobbyId: visit.lobby.id,
    playerName: user.name,
    userId: user.id,
    playerId: user.id,
  } as const;
  return visit.type === 'player'
    ? { ...shared, type: 'player', joinTicket: visit.joinTicket }
    : { ...shared, type: 'spectator' };
}
