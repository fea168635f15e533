import { buildWebIfStale } from './build-web.ts';

buildWebIfStale(process.env['NODE_ENV'] === 'production' ? 'production' : 'embedded');
await import('../apps/server/src/main.ts');
