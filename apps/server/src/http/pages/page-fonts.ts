import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { failure } from '@engulf/domain/errors/registry';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from '../serve-call.ts';

const FILES: { readonly [name: string]: string } = {
  'bagel-fat-one.woff2': '@fontsource/bagel-fat-one/files/bagel-fat-one-latin-400-normal.woff2',
  'onest-500.woff2': '@fontsource/onest/files/onest-latin-500-normal.woff2',
  'onest-800.woff2': '@fontsource/onest/files/onest-latin-800-normal.woff2',
};
const READS_PER_MINUTE = 300;

/** The fonts of the pages that are rendered here; the game's own page brings its own. */
export function registerPageFonts(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(
    '/page-fonts/:name',
    { config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } } },
    async ({ params }, reply) => {
      const file = Object.hasOwn(FILES, params.name) ? FILES[params.name] : undefined;
      if (file === undefined) return sendFailure(reply, failure('NOT_FOUND'));
      const bytes = await readFile(fileURLToPath(import.meta.resolve(file)));
      return reply.header('cache-control', 'public, max-age=604800').type('font/woff2').send(bytes);
    },
  );
}
