import { existsSync } from 'node:fs';
import { failure } from '@engulf/domain/errors/registry';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from './serve-call.ts';

/** Serves the built page; every path that is not a call or an asset is a view of the page. */
export async function servePage(app: FastifyInstance, folder: string | undefined): Promise<void> {
  const isBuilt = folder !== undefined && existsSync(folder);
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      // The build brings a brotli and a gzip form of each file.
      preCompressed: true,
      // Built assets have a content hash in their names.
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/');
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = isBuilt && request.method === 'GET' && !/^\/(api|assets)\//.test(request.url);
    const [path] = request.url.split('?');
    // Not returned: Fastify would wait for the reply once more, and each wait adds listeners to it.
    if (!isPage) sendFailure(reply, failure('NOT_FOUND'));
    else reply.sendFile(path === '/solvency' ? 'solvency.html' : 'index.html');
  });
}
