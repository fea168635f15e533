import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OutgoingMessage, serverTypeOf } from '@engulf/protocol/room/compact-frames';
import type { PlainSocket } from '@engulf/protocol/room/room-socket';
import { standardRules } from '@engulf/sim/rules';
import { joinRoom, type RoomPlayer } from '@engulf/trials/room-player';
import { benchLobby } from './open-ports.ts';
import { QuickSocket } from './quick-socket.ts';

/*
 * A process that plays for many clients. Each heads for a random place, changes it now and then, splits about every
 * three seconds, ejects about every half second, and plays again at once when eaten, as the page does. Arguments: the server's address, the
 * number of players, the number of the first one, the number of rooms to spread them over, and 'seeing' or 'blind'.
 */

export type PlayersRequest = { readonly type: 'start' | 'stop' };
export type PlayersMessage =
  | { readonly type: 'playing' }
  | { readonly type: 'counted'; readonly counts: PlayerCounts };
export type PlayerCounts = {
  /** Pointers sent. */
  readonly pointers: number;
  /** Without the framing of the WebSocket. */
  readonly bytesByKind: Readonly<Record<string, number>>;
};

const STEER_MS = 50;
const CHANCE = { newTarget: 0.04, split: 1 / 60, eject: 0.1 };
const PING_MS = 3_000;
/** A pointer at full speed. */
const FAR = 2_000;

// The room's thread has priority: players who are late only play worse.
setPriority(constants.priority.PRIORITY_LOW);
const [url, count, first, rooms, sight] = process.argv.slice(2);
await play(url!, Number(count), Number(first), Number(rooms));

async function play(serverUrl: string, players: number, firstPlayer: number, roomCount: number) {
  let entries = 0;
  let pointers = 0;
  let bytesByKind: Record<string, number> = {};
  process.on('disconnect', () => process.exit());
  process.on('message', ({ type }: PlayersRequest) => {
    if (type === 'stop') tell({ type: 'counted', counts: { pointers, bytesByKind } });
    pointers = 0;
    bytesByKind = {};
  });
  for (let i = 0; i < players; i++) {
    void playForever(firstPlayer + i);
    await sleep(20);
  }
  tell({ type: 'playing' });

  async function playForever(player: number): Promise<never> {
    const isBlind = sight === 'blind';
    const lobbyId = benchLobby(player % roomCount);
    const nextSeat = () => ({
      type: 'player' as const,
      lobbyId,
      joinTicket: `p${player}-${process.pid}-${entries++}`,
    });
    const room = await joinRoom(serverUrl, nextSeat(), { isBlind, connect });
    const pilot = isBlind ? blindPilot() : seeingPilot(room);
    for (;;) {
      await playOnce(room, pilot);
      await room.joinAgain(nextSeat());
    }
  }

  async function playOnce(room: RoomPlayer, pilot: Pilot): Promise<void> {
    const over = room.next('gameOver');
    room.send('spawn', { screenWidth: 1920, screenHeight: 1080 });
    let inputs = 0;
    const nextInput = () => {
      inputs = (inputs + 1) % 256;
      return inputs;
    };
    const send: Send = (...message) => {
      if (message[0] === 'movement') pointers++;
      room.send(...message);
    };
    const steering = setInterval(() => act(send, nextInput, pilot), STEER_MS);
    const pinging = setInterval(() => {
      room.send('ping', { id: 1, timestamp: 1, data: 'x'.repeat(100) });
    }, PING_MS);
    await over;
    clearInterval(steering);
    clearInterval(pinging);
  }

  function connect(address: string): PlainSocket {
    const countKind = (frame: Uint8Array) => {
      const kind = serverTypeOf(frame) ?? 'other';
      bytesByKind[kind] = (bytesByKind[kind] ?? 0) + frame.length;
    };
    return new QuickSocket(address, countKind) as unknown as PlainSocket;
  }
}

type Send = (...message: OutgoingMessage) => void;

/** Decides where a player goes. */
type Pilot = {
  /** Relative to the own cell; undefined while there is none. */
  pointer(): Point | undefined;
  changeMind(): void;
};
type Point = { readonly x: number; readonly y: number };

/** Sees where it is and heads for places. */
function seeingPilot({ view }: RoomPlayer): Pilot {
  let target = randomPlace();
  return {
    pointer: () => {
      const { primary } = view;
      return primary && { x: target.x - primary.x, y: target.y - primary.y };
    },
    changeMind: () => {
      target = randomPlace();
    },
  };
}

/** Sees nothing and heads in directions. */
function blindPilot(): Pilot {
  let heading = randomHeading();
  return {
    pointer: () => heading,
    changeMind: () => {
      heading = randomHeading();
    },
  };
}

function act(send: Send, nextInput: () => number, pilot: Pilot): void {
  if (Math.random() < CHANCE.newTarget) pilot.changeMind();
  const pointer = pilot.pointer();
  if (!pointer) return;
  send('movement', { ...pointer, seq: nextInput() });
  if (Math.random() < CHANCE.split) send('split', { seq: nextInput() });
  if (Math.random() < CHANCE.eject) send('ejectMass', { seq: nextInput() });
}

function randomPlace(): Point {
  const { worldSize } = standardRules;
  return { x: Math.random() * worldSize, y: Math.random() * worldSize };
}

function randomHeading(): Point {
  const angle = Math.random() * 2 * Math.PI;
  return { x: Math.cos(angle) * FAR, y: Math.sin(angle) * FAR };
}

function tell(message: PlayersMessage): void {
  process.send!(message);
}
