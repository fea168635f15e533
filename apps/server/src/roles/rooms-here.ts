import { letIn } from '../game/entrance/let-in.ts';
import { registerGame } from '../game/room/register-game.ts';
import { openGameTransport } from '../game/sockets/transport.ts';
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
  const transport = await openGameTransport(
    server,
    entrance,
    (request) => isForRooms(request) && letIn(entrance, request),
  );
  const game = await registerGame({
    ports: place.ports,
    chat: createGameChat(context, chat),
    clock: systemClock,
    rules: config.rules,
    logger: context.logger.child({ part: 'game' }),
    isTesting: !config.isProduction,
    meter,
  });
  entrance.game = game;
  return {
    untilOpen: game.untilOpen,
    canTakeLobbies: () => canTakeLobbies(context),
    stop: async () => {
      await game.leave();
      await game.close();
      await transport.close();
      await place.leave();
    },
  };
}
