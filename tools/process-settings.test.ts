import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENVIRONMENT, missingSettings, NODE_FLAGS } from '../apps/server/src/process-settings.mjs';

const root = join(import.meta.dirname, '..');
const settings = pathToFileURL(join(root, 'apps/server/src/process-settings.mjs'));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As a supervisor starts it: with nothing of what this test itself runs with. */
function start(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !(name in ENVIRONMENT) && name !== 'NODE_OPTIONS' && !name.startsWith('VITEST'),
  );
  return spawnSync(process.execPath, command, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

function imageCommand(): string[] {
  const [, command] = /^CMD (\[.+\])$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))!;
  const [program, ...rest] = JSON.parse(command!);
  expect(program).toBe('node');
  return rest;
}

describe('the server runs with all flags and variables', () => {
  test.each([
    ['npm start', () => ['tools/bootstrap.mjs', 'tools/start.ts']],
    ['a supervisor', () => ['tools/start.ts']],
    ['the image', imageCommand],
  ] as const)('when started by %s', (_, command) => {
    // Loaded before the program, in every process that a start consists of. The last one is the server, which is not
    // needed here; if it lacks something, it would run on.
    const probe = join(folder, 'probe.mjs');
    writeFileSync(
      probe,
      `import { missingSettings } from '${settings}';
      const { flags, variables } = missingSettings(process);
      const isServer = /(start|main)\\.ts$/.test(process.argv[1]);
      if (isServer && flags.length + variables.length === 0) { console.log('complete'); process.exit(0); }
      if (isServer) setTimeout(() => { console.log('lacks ' + [...flags, ...variables]); process.exit(1); }, 5_000);`,
    );
    const { stdout, status } = start(command(), {
      NODE_OPTIONS: `--import=${pathToFileURL(probe)}`,
      ENGULF_DATA_DIR: join(folder, 'data'),
      PORT: '0',
    });
    expect([stdout.trim(), status]).toEqual(['complete', 0]);
  });
});

describe('a process that lacks some of them', () => {
  function restarted(options: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const script = join(folder, 'script.mjs');
    writeFileSync(
      script,
      `import { restartWithSettings } from '${settings}';
      console.error(process.pid);
      restartWithSettings();
      console.log(JSON.stringify({ args: process.argv.slice(2), execArgv: process.execArgv, env: process.env }));`,
    );
    const { stdout, stderr } = start([...options, script, 'one', '--two'], env);
    const processIds = stderr.trim().split('\n');
    return { ...JSON.parse(stdout), starts: processIds.length, ids: new Set(processIds).size };
  }

  test('is started again once, under the same id, with the same arguments', () => {
    const { args, execArgv, env, starts, ids } = restarted([]);
    expect([starts, ids]).toEqual([2, 1]);
    expect(args).toEqual(['one', '--two']);
    expect(execArgv).toEqual(NODE_FLAGS);
    expect(env).toMatchObject(ENVIRONMENT);
  });

  test('keeps the values that it was given', () => {
    const { execArgv, env } = restarted(['--max-semi-space-size=64'], { MALLOC_ARENA_MAX: '2' });
    expect(execArgv).toContain('--max-semi-space-size=64');
    expect(execArgv).not.toContain('--max-semi-space-size=16');
    expect(env.MALLOC_ARENA_MAX).toBe('2');
  });

  test('is not started again if nothing is missing', () => {
    expect(restarted(NODE_FLAGS, ENVIRONMENT).starts).toBe(1);
    expect(missingSettings({ execArgv: NODE_FLAGS, env: ENVIRONMENT })).toEqual({ flags: [], variables: [] });
  });
});
