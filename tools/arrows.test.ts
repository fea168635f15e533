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
    ['shared, ui and art', 'features/entry/probe.ts', '../../shared/text.ts'],
    ['its own folders', 'features/arena/hud/probe.ts', '../net/events.ts'],
    ['its own folders from further down', 'features/arena/render/passes/probe.ts', '../../model/frame.ts'],
  ])('lets a feature import %s', (_name, file, from) => {
    const output = lint({
      [`apps/web/src/${file}`]: `import { x } from '${from}';\n\nexport const y = x;\n`,
    });
    expect(output).not.toContain('noRestrictedImports');
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
    [
      'web → node',
      'apps/web/src/probe.ts',
      "import { readFileSync } from 'node:fs';\nexport const y = readFileSync;\n",
      'web runs in browsers',
    ],
    [
      'a feature → another feature',
      'apps/web/src/features/entry/probe.ts',
      "import { x } from '../wallet/sign-in.ts';\nexport const y = x;\n",
      'Features do not import each other',
    ],
    [
      "a feature's folder → another feature",
      'apps/web/src/features/arena/hud/probe.tsx',
      "import { x } from '../../entry/entry-flow.ts';\nexport const y = x;\n",
      'Features do not import each other',
    ],
    [
      "a feature's inner folder → another feature",
      'apps/web/src/features/arena/render/passes/probe.ts',
      "import { x } from '../../../entry/entry-flow.ts';\nexport const y = x;\n",
      'Features do not import each other',
    ],
    [
      'a feature → app',
      'apps/web/src/features/entry/probe.ts',
      "import { x } from '../../app/view.ts';\nexport const y = x;\n",
      'app composes the rest',
    ],
    [
      'net → hud',
      'apps/web/src/features/arena/net/probe.ts',
      "import { x } from '../hud/hud-store.ts';\nexport const y = x;\n",
      'net publishes events',
    ],
    [
      'net → hud by type',
      'apps/web/src/features/arena/net/probe.ts',
      "import type { X } from '../hud/hud-store.ts';\nexport type Y = X;\n",
      'net publishes events',
    ],
    [
      'model → hud',
      'apps/web/src/features/arena/model/probe.ts',
      "import { x } from '../hud/hud-store.ts';\nexport const y = x;\n",
      'model knows neither panels nor pixels',
    ],
    [
      'render → hud',
      'apps/web/src/features/arena/render/probe.ts',
      "import { x } from '../hud/hud-store.ts';\nexport const y = x;\n",
      'render knows no panels',
    ],
    [
      'a render pass → hud',
      'apps/web/src/features/arena/render/passes/probe.ts',
      "import { x } from '../../hud/hud-store.ts';\nexport const y = x;\n",
      'render knows no panels',
    ],
    [
      'ui → a feature',
      'apps/web/src/ui/probe.tsx',
      "import { x } from '../features/entry/entry-flow.ts';\nexport const y = x;\n",
      'ui knows no feature',
    ],
    [
      'art → a feature',
      'apps/web/src/art/probe.ts',
      "import { x } from '../features/arena/text.ts';\nexport const y = x;\n",
      'art knows no feature',
    ],
    [
      'art → ui',
      'apps/web/src/art/probe.ts',
      "import { x } from '../ui/avatar.tsx';\nexport const y = x;\n",
      'art knows no feature and no component',
    ],
    [
      'shared → a feature',
      'apps/web/src/shared/probe.ts',
      "import { x } from '../features/entry/entry-flow.ts';\nexport const y = x;\n",
      'shared knows no feature',
    ],
    [
      'shared/api → app',
      'apps/web/src/shared/api/probe.ts',
      "import { x } from '../../app/view.ts';\nexport const y = x;\n",
      'shared knows no feature',
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
