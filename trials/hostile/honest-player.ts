import { createPageClient } from '../page-client.ts';
import { joinRoom, SCREEN } from '../room-player.ts';
import type { ServerProcess } from '../server-process.ts';

/** Somebody who just plays, and notes how evenly the updates come. */
export type HonestPlayer = {
  /** The gaps between updates since the last call, in milliseconds. The last one lasts until now. */
  takeGapsMs(): number[];
  isConnected(): boolean;
  leave(): void;
};

/** A new signed-in user with access. */
export async function signUp({ url, accessCode }: ServerProcess, localAddress?: string) {
  const page = await createPageClient(url, localAddress);
  await page.signIn();
  await page.send('POST', '/api/referral/submit', { code: accessCode });
  return page;
}

export async function startPlaying(server: ServerProcess, lobbyId: string): Promise<HonestPlayer> {
  const page = await signUp(server);
  const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobbyId });
  const { joinTicket } = body;
  const room = await joinRoom(server.url, { type: 'player', lobbyId, joinTicket }, { isBlind: true });
  let isConnected = true;
  let gapsMs: number[] = [];
  let heardMs = performance.now();
  const note = () => {
    const nowMs = performance.now();
    gapsMs.push(nowMs - heardMs);
    heardMs = nowMs;
  };
  room.onUpdate(note);
  void room.closed.then(() => {
    isConnected = false;
  });
  room.send('spawn', SCREEN);
  const steering = setInterval(() => {
    const [x, y] = [Math.cos(heardMs / 900) * 300, Math.sin(heardMs / 900) * 300];
    room.send('movement', { x, y, seq: 0 });
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
      room.leave();
    },
  };
}
