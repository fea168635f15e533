import {
  MENU_CLIENT_EVENTS,
  type MenuClientToServer,
  type MenuServerToClient,
} from '@engulf/protocol/menu/events';
import { createBucket, takeTokens } from '@engulf/protocol/token-bucket';
import type { Server, Socket } from 'socket.io';
import type { z } from 'zod';

export type MenuServer = Server<MenuClientToServer, MenuServerToClient>;
export type MenuClient = Socket<MenuClientToServer, MenuServerToClient>;

type ClientEvents = typeof MENU_CLIENT_EVENTS;

export type Listen = <Name extends keyof ClientEvents>(
  name: Name,
  answer: (payload: z.output<ClientEvents[Name]['payload']>) => void,
  /** For an event that is malformed. Without it, it is dropped. */
  onMalformed?: () => void,
) => void;

/** Listens to events of the protocol; drops those that are too frequent. */
export function listenOn(
  socket: MenuClient,
  { nowMs, takeQuestion }: { nowMs(): number; takeQuestion(): boolean },
): Listen {
  return (name, answer, onMalformed) => {
    const { payload, limit } = MENU_CLIENT_EVENTS[name];
    const bucket = createBucket(limit, nowMs());
    const handler = (received: unknown) => {
      if (!takeTokens(bucket, 1, nowMs()) || !takeQuestion()) return;
      const parsed = payload.safeParse(received);
      if (parsed.success) answer(parsed.data as Parameters<typeof answer>[0]);
      else onMalformed?.();
    };
    // Clients may send anything under this name, so only the schema decides the type of the payload.
    (socket as Socket).on(name as string, handler);
  };
}
