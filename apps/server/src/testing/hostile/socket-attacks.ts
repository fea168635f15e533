import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Protocol } from '@colyseus/sdk';
import { MENU_CLIENT_EVENTS } from '@engulf/protocol/menu/events';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { clientTypeNumber } from '@engulf/protocol/room/wire-types';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { io } from 'socket.io-client';
import { disguisedFrame, laughingFrame } from '../../game/testing/laughing-frame.ts';
import type { Attack, Target } from './attack.ts';
import { openRawWebSocket, type RawWebSocket } from './raw-web-socket.ts';

const ACKNOWLEDGE = Uint8Array.of(Protocol.JOIN_ROOM);
const MAX_FRAME_BYTES = 4_000;

/** Spectators who never acknowledge the join and ask for answers that would have to be queued for them. */
export const silentJoins: Attack = async (target, count) => {
  const question = new Uint8Array(MAX_FRAME_BYTES).fill(0xc0);
  question.set([Protocol.ROOM_REQUEST, 1, 0xa1, 120]);
  await flood(target, count, { frame: question, framesPerRound: 20, isAcknowledging: false });
};

/** Spectators who send frames that cannot be decoded, as fast as they can. */
export const badFrames: Attack = async (target, count) => {
  const frame = Uint8Array.of(Protocol.ROOM_DATA, 0xa1, 120, 0xc1, 0xc1);
  await flood(target, count, { frame, framesPerRound: 200, isAcknowledging: true });
};

/** Spectators who send small frames that are enormous once they are decoded. */
export const laughingFrames: Attack = async (target, count) => {
  const send = (frame: Uint8Array) =>
    flood(target, count, { frame, framesPerRound: 1, isAcknowledging: true });
  await Promise.all([laughingFrame(8), disguisedFrame(7)].map(send));
};

/** Spectators who ask for snapshots and never read. */
export const deafSpectators: Attack = async (target, count) => {
  const frame = Uint8Array.of(Protocol.ROOM_DATA, clientTypeNumber('fullUpdate'));
  await flood(target, count, { frame, framesPerRound: 1, isAcknowledging: true, isDeaf: true });
};

/** 2,000 sockets to the rooms, opened as fast as they come, with seats that do not exist. */
export const manySockets: Attack = async ({ url, untilMs }, count) => {
  const sockets: RawWebSocket[] = [];
  for (let i = 0; i < 2_000 && Date.now() < untilMs; i++) {
    const localAddress = `127.0.1.${1 + (i % 8)}`;
    openRawWebSocket(`${url}/any/room?sessionId=nobody`, { localAddress }).then((socket) => {
      count(socket ? 101 : undefined);
      if (socket) sockets.push(socket);
    });
    await sleep(3);
  }
  await sleep(Math.max(0, untilMs - Date.now()));
  for (const { socket } of sockets) socket.destroy();
};

/** From sixty addresses all the sockets that each may have, to a room that is there, without ever joining it. */
export const squatters: Attack = async (target, count) => {
  const room = await reserveSeat(target, '127.0.4.1').catch(() => undefined);
  if (!room) return;
  const sockets: RawWebSocket[] = [];
  for (let i = 0; Date.now() < target.untilMs; i++) {
    const localAddress = `127.0.4.${1 + (i % 60)}`;
    openRawWebSocket(`${target.url}/${room.processId}/${room.roomId}?sessionId=nobody`, {
      localAddress,
    }).then((socket) => {
      count(socket ? 101 : undefined);
      if (socket) sockets.push(socket);
    });
    await sleep(2);
  }
  for (const { socket } of sockets) socket.destroy();
};

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
  readonly isAcknowledging: boolean;
  readonly isDeaf?: boolean;
};

/** Every cookie keeps two spectators connected, and comes back when it is thrown out. */
async function flood(
  target: Target,
  count: (status: number | undefined) => void,
  plan: Flood,
): Promise<void> {
  const seats = target.cookies.flatMap((cookie) => [cookie, cookie]);
  await Promise.all(
    seats.map(async (cookie, i) => {
      let socket: RawWebSocket | undefined;
      for (; Date.now() < target.untilMs; await sleep(50)) {
        if (!socket?.isOpen()) {
          socket = await connectSpectator(target, cookie, `127.0.3.${1 + (i % 4)}`);
          count(socket ? 101 : undefined);
          if (!socket) await sleep(500);
          else if (plan.isAcknowledging) {
            await sleep(100);
            socket.send(ACKNOWLEDGE);
          }
          if (plan.isDeaf) socket?.socket.pause();
        }
        for (let sent = 0; sent < plan.framesPerRound; sent++) socket?.send(plan.frame);
      }
      socket?.socket.destroy();
    }),
  );
}

async function connectSpectator(
  target: Target,
  cookie: string,
  localAddress: string,
): Promise<RawWebSocket | undefined> {
  try {
    const { processId, roomId, sessionId } = await reserveSeat(target, localAddress);
    const url = `${target.url}/${processId}/${roomId}?sessionId=${sessionId}`;
    return await openRawWebSocket(url, { localAddress, cookie });
  } catch {
    return undefined;
  }
}

async function reserveSeat({ url, lobbyId }: Target, localAddress: string) {
  const options = { method: 'POST', agent: false, localAddress };
  const request = httpRequest(`${url}/matchmake/joinOrCreate/${ROOM_NAME}`, options);
  request.end(JSON.stringify({ type: 'spectator', lobbyId, protocolVersion: PROTOCOL_VERSION }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`refused with ${response.statusCode}`);
  return (await json(response)) as { processId: string; roomId: string; sessionId: string };
}
