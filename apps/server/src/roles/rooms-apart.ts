import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGameChat } from '../game-host/chat-port.ts';
import { isForRooms } from '../http/one-port.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { canTakeLobbies, markDraining } from '../platform/fleet/game-processes.ts';
import { type Gateway, openGateway } from '../room-processes/gateway.ts';
import { type RoomProcess, startRoomProcess } from '../room-processes/start-room-process.ts';
import { type GameOptions, type Place, type RunningGame, takePlace } from './game-place.ts';

/** A crash that repeats at once must not keep the machine busy. */
const RESTART_MS = 1_000;

/** One room process and its place among all that run lobbies. */
type Life = { readonly context: Context; readonly place: Place; readonly rooms: RoomProcess };

/** Rooms in processes of their own: each can use a core, and nothing in this process delays a tick. */
export async function startRoomsApart(context: Context, options: GameOptions): Promise<RunningGame> {
  const { server, entrance, config, activity } = options;
  const gateway = openGateway(server, entrance, isForRooms);
  const starts = Array.from({ length: config.roomProcesses }, () => begin(context, options, gateway));
  const begun = await Promise.allSettled(starts);
  const failed = begun.find(({ status }) => status === 'rejected');
  if (failed) {
    for (const start of begun) if (start.status === 'fulfilled') await end(context, start.value);
    throw (failed as PromiseRejectedResult).reason;
  }
  const keepers = await Promise.all(starts.map(async (life) => keep(context, options, gateway, await life)));
  activity?.onQuiet(() => {
    for (const { current } of keepers) current()?.rooms.collectGarbage();
  });
  return {
    untilOpen: async () => {
      // One that ends before it is ready is replaced; nobody has to wait for it.
      await Promise.allSettled(keepers.map(({ current }) => current()?.rooms.untilOpen()));
    },
    canTakeLobbies: async () => {
      const able = keepers.map(async ({ current }) => {
        const life = current();
        return life !== undefined && canTakeLobbies(life.context);
      });
      return (await Promise.all(able)).some(Boolean);
    },
    stop: async () => {
      // All of them leave, so none may hand its matches to another.
      await Promise.all(keepers.map(({ current }) => current() && markDraining(current()!.context)));
      await Promise.all(keepers.map((keeper) => keeper.stop()));
    },
  };
}

async function begin(context: Context, options: GameOptions, gateway: Gateway): Promise<Life> {
  const { config, chat, meter, onRoomBytes } = options;
  const own: Context = { ...context, processId: randomUUID() };
  let rooms: RoomProcess | undefined;
  let isDeclaredDead = false;
  const place = await takePlace(own, options, () => {
    isDeclaredDead = true;
    rooms?.kill();
  });
  try {
    rooms = await startRoomProcess(
      {
        ports: place.ports,
        chat: createGameChat(context, chat),
        meter,
        onBytes: onRoomBytes,
        clock: systemClock,
      },
      {
        rules: config.rules,
        isTesting: !config.isProduction,
        limitScale: config.rateLimitScale,
        log: {
          logLevel: config.logLevel,
          logFile: config.logFile,
          dataDir: config.dataDir,
          traces: config.traces,
        },
      },
    );
  } catch (error) {
    await place.leave();
    throw error;
  }
  // While it started: it could never take a lobby.
  if (isDeclaredDead) rooms.kill();
  gateway.add(rooms);
  return { context: own, place, rooms };
}

/** Replaces a room process that ends by itself. What it had reported counts; everybody alive is refunded. */
function keep(context: Context, options: GameOptions, gateway: Gateway, first: Life) {
  const { logger } = context;
  let current: Life | undefined = first;
  let isStopping = false;

  const replace = async (): Promise<Life | undefined> => {
    while (!isStopping) {
      await sleep(RESTART_MS);
      try {
        return await begin(context, options, gateway);
      } catch (error) {
        logger.error({ code: 'ROOM_PROCESS_NOT_STARTED', err: error }, 'a room process could not be started');
      }
    }
    return undefined;
  };
  const watch = async (): Promise<void> => {
    while (current && !isStopping) {
      const { rooms, place } = current;
      const reason = await rooms.ended;
      if (isStopping) return;
      current = undefined;
      logger.error({ code: 'ROOM_PROCESS_ENDED', roomPid: rooms.pid, reason }, 'a room process ended');
      await leavePlace(context, place);
      current = await replace();
    }
  };
  const watching = watch();
  return {
    current: () => current,
    stop: async (): Promise<void> => {
      isStopping = true;
      // One that is being replaced may come up while it is stopped.
      if (!current) await watching;
      if (current) await end(context, current);
    },
  };
}

async function end(context: Pick<Context, 'logger'>, { rooms, place }: Life): Promise<void> {
  try {
    await rooms.leave();
    await rooms.close();
  } catch (error) {
    // The next start refunds its players.
    context.logger.error(
      { code: 'ROOM_PROCESS_ENDED', err: error, roomPid: rooms.pid },
      'it ended too early',
    );
    rooms.kill();
    await rooms.ended;
  }
  await place.leave();
}

/** While the database is away the place would look taken. */
async function leavePlace({ logger }: Pick<Context, 'logger'>, place: Place): Promise<void> {
  for (;;) {
    try {
      await place.leave();
      return;
    } catch (error) {
      logger.error({ code: 'LEDGER_UNAVAILABLE', err: error }, 'a room process could not be signed off');
      await sleep(RESTART_MS);
    }
  }
}
