import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/platform/database/people.ts',
    './src/platform/database/games.ts',
    './src/platform/database/money.ts',
    './src/platform/database/operations.ts',
    './src/platform/database/stats.ts',
    './src/platform/database/gatherers.ts',
    './src/platform/database/limits.ts',
    './src/platform/database/solvency.ts',
    './src/platform/database/chat.ts',
    './src/platform/database/social.ts',
    './src/platform/database/share.ts',
    './src/platform/database/integrity.ts',
  ],
  out: './migrations',
  casing: 'snake_case',
});
