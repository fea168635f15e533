import { letIn } from '../game/entrance/let-in.ts';
import { startRooms } from '../game/room/start-rooms.ts';
import { openRoomSockets } from '../game/sockets/accept.ts';
import { createGameChat } from '../game-host/chat-port.ts';
import { isForRooms } from '../http/one-port.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { canTakeLobbies } from '../platform/fleet/game-processes.ts';
import { type GameOptions, type RunningGame, takePlace } from './game-place.ts';

/** Rooms on the server's own thread. */
export async function startRoomsHere(context: Context, options: GameOptions): Promise<RunningGame> {
  const { server, entrance, config, chat, meter, onDeclaredDead } = options;
  const place = await takePlace(context, options, onDeclaredDead);
  const sockets = openRoomSockets(entrance);
  server.on('upgrade', (request, socket, head) => {
    if (isForRooms(request) && letIn(entrance, request)) sockets.accept(request, socket, head);
  });
  const game = await startRooms({
    ports: place.ports,
    chat: createGameChat(context, chat),
    clock: systemClock,
    rules: config.rules,
    logger: context.logger.child({ part: 'game' }),
    isTesting: !config.isProduction,
    meter,
  });
  sockets.enter = game.enter;
  return {
    untilOpen: game.untilOpen,
    canTakeLobbies: () => canTakeLobbies(context),
    stop: async () => {
      await game.leave();
      await game.close();
      sockets.close();
      await place.leave();
    },
  };
}
