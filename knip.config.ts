import type { KnipConfig } from 'knip';

/*
 * Two runs. The first reports exports that no other file imports and files that nothing reaches. The second,
 * `--production`, leaves out tests and testing folders and so reports what only tests use; there, an export
 * that its own file uses may exist for its test.
 */
const isProduction = process.argv.includes('--production');

/** A pattern with `!` is production code. */
const config: KnipConfig = {
  ignoreExportsUsedInFile: isProduction,
  ignoreDependencies: ['@biomejs/biome'],
  // Of Debian; tests that need them are skipped where they are missing.
  ignoreBinaries: [
    'createdb',
    'nginx',
    'openssl',
    'pg_dump',
    'pg_isready',
    'pg_restore',
    'promtool',
    'redis-server',
  ],
  workspaces: {
    '.': { entry: ['tools/*.{ts,mjs}!'], project: ['tools/{*,licences/*}.{ts,mjs}!'] },
    'tools/sbf-link': { entry: ['{build,linker}.ts!', 'fixtures/*.ts'], project: ['**/*.ts!'] },
    // Every file of a package is an entry by the package's `exports`, so their exports are looked at, too.
    'packages/*': {
      includeEntryExports: true,
      project: ['src/**/*.ts!'],
      vitest: { entry: ['src/**/*.test.ts', 'src/**/testing/**/*.ts'] },
    },
    'packages/chain': {
      includeEntryExports: true,
      entry: ['codegen/{write,check}.ts!'],
      project: ['{src,codegen}/**/*.ts!'],
      ignore: ['src/generated/**'],
      vitest: { entry: ['{src,codegen,test}/**/*.test.ts', 'src/testing/**/*.ts'] },
    },
    'packages/localnet': {
      includeEntryExports: true,
      entry: ['demo/run.ts!'],
      project: ['{src,demo}/**/*.ts!'],
      vitest: { entry: ['{src,test}/**/*.test.ts', 'src/testing/**/*.ts'] },
    },
    'packages/verify': {
      includeEntryExports: true,
      project: ['{src,cli}/**/*.ts!'],
      vitest: { entry: ['src/**/*.test.ts', 'src/testing/**/*.ts'] },
    },
    'programs/arena': { entry: ['bench/*.ts'], project: ['**/*.ts'] },
    'apps/server': {
      entry: ['src/main.ts!', 'src/admin/main.ts!'],
      // Read as files.
      ignoreDependencies: [/^@fontsource\//],
      project: ['src/**/*.ts!', 'testing/**/*.ts'],
      vitest: { entry: ['{src,testing}/**/*.test.ts', 'testing/**/*.ts'] },
    },
    'apps/web': {
      project: ['src/**/*.{ts,tsx}!'],
      vitest: { entry: ['src/**/*.test.{ts,tsx}', 'src/testing/**/*.{ts,tsx}'] },
    },
    bench: { entry: ['*.ts!'], project: ['**/*.ts!'] },
    e2e: { entry: ['*.ts'], project: ['**/*.ts'] },
    crash: { entry: ['{run,demo-verify,load/run}.ts!'], project: ['**/*.ts!'] },
    scale: { entry: ['run.ts!'], project: ['*.ts!'] },
    trials: { entry: ['hostile/{run,attacker}.ts!'], project: ['**/*.ts!'] },
  },
};

export default config;
