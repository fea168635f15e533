import { existsSync } from 'node:fs';
import { failure } from '@engulf/domain/errors/registry';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../platform/config/config.ts';
import { sendFailure } from './serve-call.ts';

/** A worker has the policy that it is served with. Those that check matches may ask any node that the visitor names. */
const CHECKING_WORKER = /\/assets\/(?:verify|lobby)-worker-[^/]*$/;
const CHECKING_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*";

/** Serves the built page; every path that is not a call or an asset is a view of the page. */
export async function servePage(
  app: FastifyInstance,
  folder: string | undefined,
  console?: Config['console'],
): Promise<void> {
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
        if (CHECKING_WORKER.test(path)) reply.header('content-security-policy', CHECKING_POLICY);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = isBuilt && request.method === 'GET' && !/^\/(api|assets)\//.test(request.url);
    const [path] = request.url.split('?');
    // Not returned: Fastify would wait for the reply once more, and each wait adds listeners to it.
    if (!isPage) sendFailure(reply, failure('NOT_FOUND'));
    else reply.sendFile(fileOf(path!, request.headers.host, console));
  });
}

function fileOf(path: string, host: string | undefined, console: Config['console'] | undefined): string {
  if (path === '/solvency') return 'solvency.html';
  const isConsoleHere = console?.isOn && (console.url === undefined || console.url.host === host);
  return path === '/console' && isConsoleHere ? 'console.html' : 'index.html';
}
