// What every process of Engulf runs with, however it is started: `npm start`, a supervisor, the image, a benchmark. Plain
// JavaScript with built-in modules only, because tools/bootstrap.mjs reads it with Node 20 before anything is installed.
import { fileURLToPath } from 'node:url';

/** Flags of Node and V8. */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // V8's space for new objects would grow to 100 MB after some hours of play.
  '--max-semi-space-size=16',
  // The game would stand still for up to 8 ms instead of 2 whenever a helping thread has to wait for a core.
  '--no-parallel-scavenge',
];

/** Variables that count unless the environment has others. Node and the C library read them once, at the start. */
export const ENVIRONMENT = {
  // Each thread of the embedded chain would keep memory of its own, and the C library what was freed: some 200 MB in all.
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  // Without it every start, and every thread, loads a compiler for TypeScript: over a second, and 18 MB each.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/engulf', import.meta.url)),
};

/**
 * The flags and variables that a process was started without. Those with another value count.
 * @param {{ execArgv: readonly string[], env: Readonly<Record<string, string | undefined>> }} start
 */
export function missingSettings({ execArgv, env } = process) {
  const given = new Set(execArgv.map(nameOf));
  return {
    flags: NODE_FLAGS.filter((flag) => !given.has(nameOf(flag))),
    variables: Object.keys(ENVIRONMENT).filter((name) => env[name] === undefined),
  };
}

/**
 * Starts this process again in its own place, with the same id, if it lacks any of them. Must run before anything else:
 * nothing that was opened survives. A child of another Node process is left as it is, or it would lose its channel.
 */
export function restartWithSettings() {
  const { flags, variables } = missingSettings();
  if (flags.length + variables.length === 0 || process.send || process.platform === 'win32') return;
  process.execve?.(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    { ...ENVIRONMENT, ...process.env },
  );
}

/** @param {string} flag */
function nameOf(flag) {
  return flag.split('=')[0];
}
