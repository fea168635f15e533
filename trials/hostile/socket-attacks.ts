import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { MENU_CLIENT_EVENTS } from '@engulf/protocol/menu/events';
import { clientFrame, firstFrame } from '@engulf/protocol/room/compact-frames';
import { ROOM_NAME, roomAddress } from '@engulf/protocol/room/join';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { io } from 'socket.io-client';
import { SCREEN } from '../room-player.ts';
import type { Attack, Target } from './attack.ts';
import { openRawWebSocket, type RawWebSocket } from './raw-web-socket.ts';

const MAX_FRAME_BYTES = 4_000;
const toUtf8 = new TextEncoder();

/** Sockets that never join, and send as much as they may before they have to. */
export const silentJoins: Attack = async (target, count) => {
  const frame = new Uint8Array(MAX_FRAME_BYTES).fill(0x7b);
  await flood(target, count, { frame, framesPerRound: 20, isJoining: false });
};

/** Spectators who send frames that are no messages, as fast as they can. */
export const badFrames: Attack = async (target, count) => {
  await flood(target, count, { frame: Uint8Array.of(200, 1, 2, 3), framesPerRound: 200, isJoining: true });
};

/** Spectators who send JSON that is as deep as it is long. */
export const deepFrames: Attack = async (target, count) => {
  const half = MAX_FRAME_BYTES / 2;
  const deep = Uint8Array.of(9, ...toUtf8.encode('['.repeat(half - 1) + ']'.repeat(half)));
  await flood(target, count, { frame: deep, framesPerRound: 10, isJoining: true });
};

/** Spectators who ask for snapshots and never read. */
export const deafSpectators: Attack = async (target, count) => {
  await flood(target, count, {
    frame: clientFrame('fullUpdate'),
    framesPerRound: 1,
    isJoining: true,
    isDeaf: true,
  });
};

/** Messages in pieces of no bytes at all, by the thousand in one write. */
export const emptyPieces: Attack = async ({ url, lobbyId, untilMs }, count) => {
  const begin = Buffer.of(0x02, 0x80, 0, 0, 0, 0);
  const pieces = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.of(0x00, 0x80, 0, 0, 0, 0)));
  for (let i = 0; Date.now() < untilMs; i++) {
    const socket = await openRawWebSocket(roomAddress(url, lobbyId), {
      localAddress: `127.0.5.${1 + (i % 8)}`,
    });
    count(socket ? 101 : undefined);
    socket?.socket.write(Buffer.concat([begin, pieces]));
    await sleep(50);
    socket?.socket.destroy();
  }
};

const FIRST_PIECE = Buffer.of(0x02, 0x81, 0, 0, 0, 0, 0);
const NEXT_PIECES = Buffer.concat(Array.from({ length: 18_000 }, () => Buffer.of(0x00, 0x81, 0, 0, 0, 0, 0)));

/** From 25 addresses all the sockets that each may have, each with 128 KB of one message in pieces of a byte. */
export const fragments: Attack = (target, count) =>
  sendPieces(target, count, roomAddress(target.url, target.lobbyId), 8);

/** The same to the menu. */
export const menuFragments: Attack = (target, count) =>
  sendPieces(target, count, `${target.url}/socket.io/?EIO=4&transport=websocket`, 9);

async function sendPieces(
  { untilMs }: Target,
  count: (status: number | undefined) => void,
  address: string,
  network: number,
): Promise<void> {
  const sockets: RawWebSocket[] = [];
  for (let i = 0; Date.now() < untilMs; i++) {
    const localAddress = `127.0.${network}.${1 + (i % 25)}`;
    void openRawWebSocket(address, { localAddress }).then((socket) => {
      count(socket ? 101 : undefined);
      if (!socket) return;
      sockets.push(socket);
      socket.socket.write(FIRST_PIECE);
      socket.socket.write(NEXT_PIECES);
    });
    await sleep(5);
  }
  for (const { socket } of sockets) socket.destroy();
}

/** Joins with tickets that nobody has given out, as many as sixty addresses may try. */
export const forgedTickets: Attack = async ({ url, lobbyId, untilMs }, count) => {
  for (let i = 0; Date.now() < untilMs; i++) {
    const localAddress = `127.0.6.${1 + (i % 60)}`;
    const join = joinFrame({ type: 'player', lobbyId, joinTicket: randomBytes(500).toString('hex') });
    void openRawWebSocket(roomAddress(url, lobbyId), { localAddress }).then((socket) => {
      count(socket ? 101 : undefined);
      socket?.send(join);
    });
    await sleep(5);
  }
};

/** 2,000 sockets to the rooms, opened as fast as they come, for a lobby that does not exist. */
export const manySockets: Attack = async ({ url, untilMs }, count) => {
  const sockets: RawWebSocket[] = [];
  for (let i = 0; i < 2_000 && Date.now() < untilMs; i++) {
    const localAddress = `127.0.1.${1 + (i % 8)}`;
    openRawWebSocket(roomAddress(url, 'nowhere'), { localAddress }).then((socket) => {
      count(socket ? 101 : undefined);
      if (socket) sockets.push(socket);
    });
    await sleep(3);
  }
  await sleep(Math.max(0, untilMs - Date.now()));
  for (const { socket } of sockets) socket.destroy();
};

/** From sixty addresses all the sockets that each may have, to a room that is there, without ever joining it. */
export const squatters: Attack = async ({ url, lobbyId, untilMs }, count) => {
  const sockets: RawWebSocket[] = [];
  for (let i = 0; Date.now() < untilMs; i++) {
    const localAddress = `127.0.4.${1 + (i % 60)}`;
    openRawWebSocket(roomAddress(url, lobbyId), { localAddress }).then((socket) => {
      count(socket ? 101 : undefined);
      if (socket) sockets.push(socket);
    });
    await sleep(2);
  }
  for (const { socket } of sockets) socket.destroy();
};

/** Fourteen users behind one address take as many seats of the lobby as they get, and do nothing with them. */
export const seatHoarders: Attack = async ({ url, lobbyId, cookies, untilMs }, count) => {
  const localAddress = '127.0.9.1';
  const sockets: RawWebSocket[] = [];
  for (const cookie of cookies.slice(0, 14)) {
    const { status, joinTicket } = await askForSeat(url, lobbyId, { localAddress, cookie });
    count(status);
    if (joinTicket === undefined) continue;
    const socket = await openRawWebSocket(roomAddress(url, lobbyId), { localAddress, cookie });
    if (!socket) continue;
    sockets.push(socket);
    socket.send(joinFrame({ type: 'player', lobbyId, joinTicket }));
    socket.send(clientFrame('spawn', SCREEN));
  }
  await sleep(Math.max(0, untilMs - Date.now()));
  for (const { socket } of sockets) socket.destroy();
};

type Sender = { readonly localAddress: string; readonly cookie: string };

function askForSeat(
  url: string,
  selectedLobbyId: string,
  { localAddress, cookie }: Sender,
): Promise<{ status: number | undefined; joinTicket?: string }> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', cookie };
    const options = { method: 'POST', agent: false, localAddress, headers };
    const sent = httpRequest(`${url}/api/serverBrowser/join-lobby`, options, async (response) => {
      const body = JSON.parse((await response.toArray()).join('')) as { joinTicket?: string };
      resolve({ status: response.statusCode, ...(body.joinTicket && { joinTicket: body.joinTicket }) });
    });
    sent.on('error', () => resolve({ status: undefined })).end(JSON.stringify({ selectedLobbyId }));
  });
}

/** 100 menu sockets that ask as often as each of them may. */
export const menuQuestions: Attack = async ({ url, untilMs }, count) => {
  const sockets = Array.from({ length: 100 }, (_, i) => {
    const localAddress = `127.0.2.${1 + (i % 10)}`;
    const options = { transports: ['websocket'], forceNew: true, reconnection: false, localAddress };
    return io(url, options as object)
      .on('connect', () => count(101))
      .on('connect_error', () => count(undefined));
  });
  for (let round = 0; Date.now() < untilMs; round++) {
    const questions = round === 0 ? 5 : 1;
    for (const socket of sockets) {
      if (!socket.connected) continue;
      for (let i = 0; i < questions; i++) {
        for (const event of Object.keys(MENU_CLIENT_EVENTS)) {
          if (event === 'register') socket.emit(event, 'anonymous');
          else socket.emit(event);
        }
      }
    }
    await sleep(1_000);
  }
  for (const socket of sockets) socket.disconnect();
};

/** From thirty addresses and as many users as there are cookies, lines of chat as often as each may write. */
export const chatFlood: Attack = async ({ url, cookies, untilMs }, count) => {
  const sockets = Array.from({ length: 30 }, (_, i) => {
    const localAddress = `127.0.2.${1 + i}`;
    const extraHeaders = { cookie: cookies[i % cookies.length]! };
    const options = {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      localAddress,
      extraHeaders,
    };
    return io(url, options as object)
      .on('connect', () => count(101))
      .on('lobby:chat:message', () => count(200))
      .on('chat:error', () => count(429));
  });
  for (; Date.now() < untilMs; await sleep(300)) {
    for (const socket of sockets) socket.emit('lobby:chat:send', { message: `spam ${Math.random()}` });
  }
  for (const socket of sockets) socket.disconnect();
};

const EMPTY_PING = Buffer.of(0x89, 0x80, 0, 0, 0, 0);
const NOOP_PACKET = Buffer.of(0x81, 0x81, 0, 0, 0, 0, 0x36);

/** Menu sockets that write tiny frames as fast as the server reads, whatever it says: pings below Engine.IO, and packets. */
export const menuFrames: Attack = async ({ url, untilMs }, count) => {
  const flood = async (frame: Buffer, i: number) => {
    const frames = Buffer.concat(Array.from({ length: 10_000 }, () => frame));
    for (; Date.now() < untilMs; await sleep(50)) {
      const menu = `${url}/socket.io/?EIO=4&transport=websocket`;
      const opened = await openRawWebSocket(menu, { localAddress: `127.0.2.${1 + i}` });
      count(opened ? 101 : undefined);
      for (; opened?.isOpen() && Date.now() < untilMs; await sleep(10)) {
        if (opened.socket.writableLength < frames.length) opened.socket.write(frames);
      }
      opened?.socket.destroy();
    }
  };
  await Promise.all([EMPTY_PING, NOOP_PACKET, EMPTY_PING, NOOP_PACKET].map(flood));
};

type Flood = {
  readonly frame: Uint8Array;
  readonly framesPerRound: number;
  readonly isJoining: boolean;
  readonly isDeaf?: boolean;
};

/** Three users keep two spectators connected each, and comes back when it is thrown out. */
async function flood(
  { url, lobbyId, cookies, untilMs }: Target,
  count: (status: number | undefined) => void,
  plan: Flood,
): Promise<void> {
  const join = joinFrame({ type: 'spectator', lobbyId });
  const seats = cookies.slice(0, 3).flatMap((cookie) => [cookie, cookie]);
  await Promise.all(
    seats.map(async (cookie, i) => {
      let socket: RawWebSocket | undefined;
      for (; Date.now() < untilMs; await sleep(50)) {
        if (!socket?.isOpen()) {
          const localAddress = `127.0.3.${1 + (i % 4)}`;
          socket = await openRawWebSocket(roomAddress(url, lobbyId), { localAddress, cookie });
          count(socket ? 101 : undefined);
          if (!socket) await sleep(500);
          else if (plan.isJoining) {
            socket.send(join);
            await sleep(100);
          }
          if (plan.isDeaf) socket?.socket.pause();
        }
        for (let sent = 0; sent < plan.framesPerRound; sent++) socket?.send(plan.frame);
      }
      socket?.socket.destroy();
    }),
  );
}

function joinFrame(options: object): Uint8Array {
  return firstFrame('join', { room: ROOM_NAME, options, protocolVersion: PROTOCOL_VERSION });
}
