import { once } from 'node:events';
import { roomAddress } from '@engulf/protocol/room/join';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engulf, forget, startEngulf } from '../engulf.ts';

describe('npm run dev', () => {
  let engulf: Engulf;
  beforeAll(async () => {
    engulf = await startEngulf({ script: 'tools/dev.ts' });
  });
  afterAll(async () => {
    await engulf?.stop();
    if (engulf) forget(engulf);
  });

  test('serves the page with hot reload', async () => {
    const page = await (await fetch(engulf.url)).text();
    expect(page).toContain('/@vite/client');
    expect(page).toContain('/src/main.tsx');
    const solvency = await (await fetch(`${engulf.url}/solvency`)).text();
    expect(solvency).toContain('/src/solvency.tsx');
  });

  test('proxies the API under the address of the page, so that sign-in works', async () => {
    const challenge = await (await fetch(`${engulf.url}/api/auth/nonce`)).json();
    expect(challenge).toMatchObject({ uri: engulf.url, domain: new URL(engulf.url).host });
  });

  test('proxies the menu socket and the sockets of rooms', async () => {
    const menu = await fetch(`${engulf.url}/socket.io/?EIO=4&transport=polling`);
    expect(await menu.text()).toContain('"sid"');
    const room = new WebSocket(roomAddress(engulf.url, 'unknown'));
    room.addEventListener('open', () => room.send('{"type":"resume","token":"of nobody"}'));
    const [{ code }] = (await once(room, 'close')) as [CloseEvent];
    expect(code, 'the game server refuses an unknown token with a code of its own').toBe(CLOSE_CODES.refused);
  });
});
