import type { Server } from 'node:http';
import type { Chat } from '../chat/chat.ts';
import { recoverEntries } from '../entries/recover-entries.ts';
import type { Entrance } from '../game/entrance/entrance.ts';
import { matchVersion } from '../game/match-version.ts';
import type { GameMeter, GamePorts } from '../game/ports.ts';
import { createGamePorts } from '../game-host/ports.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import type { Activity } from '../platform/activity.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { startHeartbeat } from '../platform/fleet/game-processes.ts';
import type { Prices } from '../prices/prices.ts';

export type GameOptions = {
  readonly server: Server;
  readonly entrance: Entrance;
  readonly config: Config;
  readonly prices: Prices;
  readonly chat: Chat;
  readonly meter: GameMeter;
  readonly slowTickMs?: (() => number | undefined) | undefined;
  /** Counts bytes on sockets that other processes hold. */
  readonly onRoomBytes: (up: number, down: number) => void;
  /** Left out if lobbies are also changed by others than this process's visitors. */
  readonly activity: Activity | undefined;
  /** Other processes declared this one dead and refunded its players, so its rooms must end. */
  readonly onDeclaredDead: (() => void) | undefined;
};

export type RunningGame = {
  /** Resolves when every open lobby has its room, or cannot have one soon. */
  untilOpen(): Promise<void>;
  /** Whether new lobbies could come here. */
  canTakeLobbies(): Promise<boolean>;
  /** Ends every match, or hands it over, settles it and only then stops the heartbeat. */
  stop(): Promise<void>;
};

/** The right to run lobbies, in the name of the context's process. */
export type Place = {
  readonly ports: GamePorts;
  /** Resolves when everything that the rooms reported is durable and the place is free. */
  leave(): Promise<void>;
};

export async function takePlace(
  context: Context,
  { config, prices, activity, slowTickMs }: GameOptions,
  onDeclaredDead: (() => void) | undefined,
): Promise<Place> {
  const isAlone = config.database.kind === 'embedded';
  const { gamePublicUrl: address, region, isStandby } = config;
  const self = { address, region, version: matchVersion(config.rules), isAlone, slowTickMs };
  await recoverEntries(context);
  await recoverMatches(context);
  // Last of what can fail: others leave lobbies and matches to whoever has a heartbeat.
  const heartbeat = await startHeartbeat(context, self, onDeclaredDead);
  const { ports, lanes } = createGamePorts(context, {
    prices,
    isAlone,
    region,
    isStandby,
    limitScale: config.rateLimitScale,
    activity,
  });
  return {
    ports,
    leave: async () => {
      await lanes.drain();
      await heartbeat.stop();
    },
  };
}
