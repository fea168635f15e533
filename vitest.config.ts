import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,programs,apps,tools,bench,e2e}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/target/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './tools/closing-counts.ts'],
  },
});
