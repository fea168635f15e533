import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

describe('the lint step that guards the architecture', () => {
  let project = '';

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'engulf-arrows-'));
    for (const part of ['biome.json', '.gitignore', 'tools/lint']) {
      cpSync(join(root, part), join(project, part), { recursive: true });
    }
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  function lint(files: Record<string, string>): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint'], {
      cwd: project,
      encoding: 'utf8',
    });
    return stdout + stderr;
  }

  const sim = 'packages/sim/src/probe.ts';

  test('accepts an allowed arrow', () => {
    const manifest = JSON.stringify({ name: '@engulf/sim', dependencies: { '@engulf/domain': '0.1.0' } });
    const output = lint({
      'packages/sim/package.json': manifest,
      [sim]:
        "import { eatenShare } from '@engulf/domain/money/bounty';\n\nexport const share = eatenShare;\n",
    });
    expect(output).toContain('No fixes applied');
    expect(output).not.toMatch(/Found \d+ error/);
  });

  test.each([
    [
      'sim → chain',
      sim,
      "import { x } from '@engulf/chain/pdas';\nexport const y = x;\n",
      'noRestrictedImports',
    ],
    [
      'sim → node',
      sim,
      "import { readFileSync } from 'node:fs';\nexport const y = readFileSync;\n",
      'sim imports domain only',
    ],
    [
      'sim → chain by path',
      sim,
      "import { x } from '../../chain/src/pdas.ts';\nexport const y = x;\n",
      'by its name',
    ],
    [
      'domain → sim',
      'packages/domain/src/probe.ts',
      "import { x } from '@engulf/sim/world';\nexport const y = x;\n",
      'domain imports nothing',
    ],
    [
      'chain → localnet',
      'packages/chain/src/probe.ts',
      "import { x } from '@engulf/localnet/start';\nexport const y = x;\n",
      'chain imports domain only',
    ],
    [
      'localnet → sim',
      'packages/localnet/src/probe.ts',
      "import { x } from '@engulf/sim/world';\nexport const y = x;\n",
      'localnet imports chain and domain only',
    ],
    [
      'protocol → sim',
      'packages/protocol/src/probe.ts',
      "import { x } from '@engulf/sim/world';\nexport const y = x;\n",
      'protocol imports domain only',
    ],
    [
      'web → server',
      'apps/web/src/probe.ts',
      "import { x } from '@engulf/server/config';\nexport const y = x;\n",
      'web imports domain, protocol, netcode, chain and sim only',
    ],
    [
      'web → localnet',
      'apps/web/src/probe.ts',
      "import { x } from '@engulf/localnet/start';\nexport const y = x;\n",
      'web imports domain, protocol, netcode, chain and sim only',
    ],
    [
      'game → the rest of the server',
      'apps/server/src/game/room/probe.ts',
      "import { x } from '../../http/one-port.ts';\nexport const y = x;\n",
      'The game is sealed',
    ],
    [
      'the ports of the game → the rest of the server',
      'apps/server/src/game/ports.ts',
      "import { x } from '../platform/context.ts';\nexport const y = x;\n",
      'The game is sealed',
    ],
    [
      'a test of the game → the rest of the server',
      'apps/server/src/game/testing/probe.ts',
      "import { x } from '../../platform/context.ts';\nexport const y = x;\n",
      'The game is sealed',
    ],
    [
      'game → chain',
      'apps/server/src/game/match/probe.ts',
      "import { x } from '@engulf/chain/pdas';\nexport const y = x;\n",
      'The game imports domain, sim, netcode and protocol only',
    ],
    [
      'match → Colyseus',
      'apps/server/src/game/match/probe.ts',
      "import { x } from '@colyseus/core';\nexport const y = x;\n",
      'Only game/room knows Colyseus',
    ],
    [
      'match → room',
      'apps/server/src/game/match/probe.ts',
      "import { x } from '../room/visit.ts';\nexport const y = x;\n",
      'game/match does not know room',
    ],
    [
      'views → match',
      'apps/server/src/game/views/probe.ts',
      "import { x } from '../match/match.ts';\nexport const y = x;\n",
      'game/views does not know board, match',
    ],
    [
      'board → room',
      'apps/server/src/game/board/probe.ts',
      "import { x } from '../room/visit.ts';\nexport const y = x;\n",
      'game/board does not know views, match, room',
    ],
    [
      'the system clock in game',
      'apps/server/src/game/match/probe.ts',
      'export const y = Date.now();\n',
      'Time comes from the clock',
    ],
    ['randomness in sim', sim, 'export const y = Math.random();\n', 'Not deterministic across engines'],
    ['a clock in sim', sim, 'export const y = Date.now();\n', 'counted in ticks'],
  ])('refuses %s', (_name, path, text, complaint) => {
    expect(lint({ [path]: text })).toContain(complaint);
  });

  test('refuses a circle', () => {
    const output = lint({
      'packages/sim/src/a.ts': "import { b } from './b.ts';\n\nexport const a = () => b;\n",
      'packages/sim/src/b.ts': "import { a } from './a.ts';\n\nexport const b = () => a;\n",
    });
    expect(output).toContain('noImportCycles');
  });
});
