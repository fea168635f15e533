import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findForbiddenImports, ROOMS } from './lint/arrows.ts';

const root = join(import.meta.dirname, '..');
const SERVER = 'apps/server/src';
const WEB = 'apps/web/src';
const ARENA = `${WEB}/features/arena`;

const complaintsAbout = (file: string, specifier: string, keyword = 'import') =>
  findForbiddenImports(new Map([[file, `${keyword} { x } from '${specifier}';\n\nexport const y = x;\n`]]));

describe('the table of arrows', () => {
  test('names rooms that exist, and sees only rooms that exist', () => {
    for (const [path, { sees }] of Object.entries(ROOMS)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      for (const seen of sees) expect(existsSync(join(root, seen.replace(/\*$/, ''))), seen).toBe(true);
    }
  });

  test.each([
    ['packages/sim/src/probe.ts', '@engulf/domain/money/bounty'],
    [`${SERVER}/payments/probe.ts`, '../entries/entry-states.ts'],
    [`${SERVER}/game/room/probe.ts`, '../match/match.ts'],
    [`${SERVER}/game/sockets/probe.ts`, 'ws'],
    [`${SERVER}/entries/probe.test.ts`, '../payments/decide-payment.ts'],
    [`${WEB}/features/entry/probe.ts`, '../../shared/text.ts'],
    [`${ARENA}/hud/probe.ts`, '../net/events.ts'],
    [`${ARENA}/render/passes/probe.ts`, '../../model/frame/frame.ts'],
  ])('lets %s import %s', (file, specifier) => {
    expect(complaintsAbout(file, specifier)).toEqual([]);
  });

  test.each([
    ['packages/domain/src/probe.ts', '@engulf/sim/world'],
    ['packages/sim/src/probe.ts', '@engulf/chain/accounts/pdas'],
    ['packages/sim/src/probe.ts', '../../chain/src/accounts/pdas.ts'],
    ['packages/sim/src/probe.ts', 'node:fs'],
    ['packages/netcode/src/probe.ts', '@engulf/protocol/version'],
    ['packages/protocol/src/probe.ts', '@engulf/sim/world'],
    ['packages/chain/src/probe.ts', '@engulf/localnet/start-localnet'],
    ['packages/chain/src/probe.ts', 'node:fs'],
    ['packages/localnet/src/probe.ts', '@engulf/sim/world'],
    [`${SERVER}/platform/probe.ts`, '../entries/join-lobby.ts'],
    [`${SERVER}/platform/database/probe.ts`, '../../lobbies/lobby-rows.ts'],
    [`${SERVER}/lobbies/probe.ts`, '../money/solvency.ts'],
    [`${SERVER}/money/payouts/probe.ts`, '../../entries/entry-states.ts'],
    [`${SERVER}/entries/probe.ts`, '../payments/decide-payment.ts'],
    [`${SERVER}/entries/probe.ts`, '../game/ports.ts'],
    [`${SERVER}/payments/probe.ts`, '../game-host/ports.ts'],
    [`${SERVER}/stats/probe.ts`, '../accounts/profile.ts'],
    [`${SERVER}/accounts/probe.ts`, '../http/site.ts'],
    [`${SERVER}/menu/probe.ts`, '../http/site.ts'],
    [`${SERVER}/game-host/probe.ts`, '../payments/decide-payment.ts'],
    [`${SERVER}/http/routes/probe.ts`, '../../roles/api.ts'],
    [`${SERVER}/probe.ts`, '@engulf/web/app/app'],
    [`${SERVER}/game/ports.ts`, '../platform/context.ts'],
    [`${SERVER}/game/room/probe.ts`, '../../http/one-port.ts'],
    ['apps/server/testing/game/probe.ts', '../../src/platform/context.ts'],
    [`${SERVER}/game/room/probe.test.ts`, '../../platform/context.ts'],
    [`${SERVER}/game/match/probe.ts`, '@engulf/chain/accounts/pdas'],
    [`${SERVER}/game/match/probe.ts`, 'ws'],
    [`${SERVER}/game/match/probe.ts`, '../room/visit.ts'],
    [`${SERVER}/game/match/probe.ts`, '../../../testing/game/memory-ports.ts'],
    [`${SERVER}/game/views/probe.ts`, '../match/match.ts'],
    [`${SERVER}/game/board/probe.ts`, '../views/views.ts'],
    [`${WEB}/app/probe.ts`, '@engulf/server/game/ports'],
    [`${WEB}/app/probe.ts`, '@engulf/localnet/start-localnet'],
    [`${WEB}/app/probe.ts`, 'node:fs'],
    [`${WEB}/shared/probe.ts`, '../features/entry/entry-flow.ts'],
    [`${WEB}/ui/probe.tsx`, '../features/entry/entry-flow.ts'],
    [`${WEB}/art/probe.ts`, '../ui/button.tsx'],
    [`${WEB}/features/entry/probe.ts`, '../wallet/sign-in.ts'],
    [`${WEB}/features/entry/probe.ts`, '../../app/view.ts'],
    [`${ARENA}/hud/probe.tsx`, '../../entry/entry-flow.ts'],
    [`${ARENA}/net/probe.ts`, '../hud/hud-store.ts'],
    [`${ARENA}/net/probe.ts`, '../model/frame/frame.ts'],
    [`${ARENA}/model/probe.ts`, '../hud/hud-store.ts'],
    [`${ARENA}/model/playout/probe.ts`, '../own/prediction.ts'],
    [`${ARENA}/input/probe.ts`, '../hud/hud-store.ts'],
    [`${ARENA}/render/passes/probe.ts`, '../../hud/hud-store.ts'],
    [`${ARENA}/hud/probe.ts`, 'pixi.js'],
  ])('refuses %s → %s', (file, specifier) => {
    expect(complaintsAbout(file, specifier)).toHaveLength(1);
    expect(complaintsAbout(file, specifier, 'import type')).toHaveLength(1);
    expect(complaintsAbout(file, specifier, 'export')).toHaveLength(1);
  });

  test.each([
    `${SERVER}/unlisted/probe.ts`,
    `${WEB}/features/unlisted/probe.ts`,
    `${ARENA}/unlisted/probe.ts`,
  ])('refuses %s until its folder has a room in the table', (file) => {
    expect(complaintsAbout(file, './other.ts')).toEqual([expect.stringContaining('not in the table')]);
  });
});

describe('the lint rules that guard the architecture', () => {
  let project = '';

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'engulf-lint-'));
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
    const command = join(root, 'node_modules/.bin/biome');
    const { stdout, stderr } = spawnSync(command, ['lint'], { cwd: project, encoding: 'utf8' });
    return stdout + stderr;
  }

  test.each([
    ['randomness in sim', 'packages/sim/src', 'Math.random()', 'Not deterministic across engines'],
    ['a clock in sim', 'packages/sim/src', 'Date.now()', 'counted in ticks'],
    ['the system clock in game', `${SERVER}/game/match`, 'Date.now()', 'Time comes from the clock'],
  ])('refuse %s', (_name, folder, expression, complaint) => {
    expect(lint({ [`${folder}/probe.ts`]: `export const y = ${expression};\n` })).toContain(complaint);
  });

  test.each(['import', 'import type'])('refuse a circle by %s', (keyword) => {
    const output = lint({
      'packages/sim/src/a.ts': `${keyword} { b } from './b.ts';\n\nexport const a = (): typeof b => 1;\n`,
      'packages/sim/src/b.ts': `${keyword} { a } from './a.ts';\n\nexport const b = 1 as ReturnType<typeof a>;\n`,
    });
    expect(output).toContain('noImportCycles');
  });

  test('refuse an import that the package does not declare', () => {
    const output = lint({
      'packages/sim/package.json': JSON.stringify({ name: '@engulf/sim' }),
      'packages/sim/src/probe.ts': "import { x } from 'lodash';\n\nexport const y = x;\n",
    });
    expect(output).toContain('noUndeclaredDependencies');
  });
});
