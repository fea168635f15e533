import type { Server } from 'node:http';
import { recoverEntries } from '../entries/recover-entries.ts';
import { registerGame } from '../game/room/register-game.ts';
import { createGamePorts } from '../game-host/ports.ts';
import { attachGameTransport } from '../http/one-port.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { forgetOtherProcesses, startHeartbeat } from '../platform/game-processes.ts';

export type GameOptions = {
  readonly server: Server;
  readonly config: Config;
  /** Other processes took this one for dead and refunded its players, so its rooms must end. */
  readonly onDeclaredDead: (() => void) | undefined;
};

/** The role that runs the rooms. Stopping ends every match, settles it and only then stops the heartbeat. */
export async function startGame(
  context: Context,
  { server, config, onDeclaredDead }: GameOptions,
): Promise<{ stop(): Promise<void> }> {
  const heartbeat = await startHeartbeat(context, onDeclaredDead);
  // The lock on an embedded database proves that no other process is alive, so its players need not wait.
  if (config.database.kind === 'embedded') await forgetOtherProcesses(context);
  await recoverEntries(context);
  const { ports, lanes } = createGamePorts(context);
  const transport = await attachGameTransport(server);
  const logger = context.logger.child({ part: 'game' });
  const game = await registerGame({ ports, clock: systemClock, rules: config.rules, logger });
  return {
    stop: async () => {
      await game.close();
      await transport.close();
      await lanes.drain();
      await heartbeat.stop();
    },
  };
}
