import { Client, type Room } from '@colyseus/sdk';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { sendToRoom, serverTypeNumber } from '@engulf/protocol/room/wire-types';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { createPageClient } from '../page-client.ts';
import type { ServerProcess } from '../server-process.ts';

/** Somebody who just plays, and notes how evenly the updates come. */
export type HonestPlayer = {
  /** The gaps between updates since the last call, in milliseconds. The last one lasts until now. */
  takeGapsMs(): number[];
  isConnected(): boolean;
  leave(): void;
};

/** A new signed-in user with access. */
export async function signUp({ url, accessCode }: ServerProcess) {
  const page = await createPageClient(url);
  await page.signIn();
  await page.send('POST', '/api/referral/submit', { code: accessCode });
  return page;
}

export async function startPlaying(server: ServerProcess, lobbyId: string): Promise<HonestPlayer> {
  const page = await signUp(server);
  const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobbyId });
  const room: Room = await new Client(server.url).joinOrCreate(ROOM_NAME, {
    type: 'player',
    lobbyId,
    joinTicket: body.joinTicket,
    protocolVersion: PROTOCOL_VERSION,
  });
  room.reconnection.enabled = false;
  let isConnected = true;
  let gapsMs: number[] = [];
  let heardMs = performance.now();
  const note = () => {
    const nowMs = performance.now();
    gapsMs.push(nowMs - heardMs);
    heardMs = nowMs;
  };
  room.onMessage('*', () => {});
  for (const type of Object.values(STATE_MESSAGES.player)) room.onMessage(serverTypeNumber(type), note);
  room.onLeave(() => {
    isConnected = false;
  });
  sendToRoom(room, 'spawn', { name: 'honest', screenWidth: 1280, screenHeight: 800 });
  const steering = setInterval(() => {
    const [x, y] = [Math.cos(heardMs / 900) * 300, Math.sin(heardMs / 900) * 300];
    if (isConnected) sendToRoom(room, 'movement', { x, y, seq: 0 });
  }, 100);
  return {
    takeGapsMs: () => {
      note();
      const taken = gapsMs;
      gapsMs = [];
      return taken;
    },
    isConnected: () => isConnected,
    leave: () => {
      clearInterval(steering);
      void room.leave();
    },
  };
}
