import { spawnSync } from 'node:child_process';

/** Something a developer can act on: a missing tool, a failed step, code that cannot become a Solana program. */
export class ToolError extends Error {}

/** Runs a command to its end and returns what it printed. */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; showErrors?: boolean } = {},
): { stdout: string; stderr: string } {
  const { showErrors, ...rest } = options;
  const result = spawnSync(command, args, {
    ...rest,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', showErrors ? 'inherit' : 'pipe'],
  });
  if (result.error) throw new ToolError(`${command}: ${result.error.message}`, { cause: result.error });
  const stderr = result.stderr ?? '';
  if (result.status !== 0) throw new ToolError(`${command} failed\n${stderr}`);
  return { stdout: result.stdout, stderr };
}
