import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/database/people.ts', './src/database/games.ts', './src/database/money.ts'],
  out: './migrations',
  casing: 'snake_case',
});
