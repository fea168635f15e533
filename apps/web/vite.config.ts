import react from '@vitejs/plugin-react';
import { createLogger, defineConfig, type Logger, type Plugin, type ProxyOptions } from 'vite';
import { bootShell } from './boot-shell.ts';
import { compressBuild } from './compress-build.ts';

export default defineConfig(({ command }) => ({
  plugins: [react(), bootShell(), compressBuild(), pagesByPath()],
  ...(command === 'serve' && { server: { proxy: proxyToServer() }, customLogger: devLogger() }),
  build: {
    target: 'es2023',
    // The solvency page and the console do not load the game, and the replay page does not load the menu.
    rolldownOptions: { input: ['index.html', 'solvency.html', 'replay.html', 'console.html'] },
    // Pixi and kit are large; what counts is that the menu does not wait for the arena.
    chunkSizeWarningLimit: 900,
  },
}));

/** As the server does it: these paths are pages of their own. */
function pagesByPath(): Plugin {
  return {
    name: 'pages-by-path',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [, page] =
          /^\/(solvency|replay|console)\b(?!\.)(?!.*\/card\.png)/.exec(request.url ?? '') ?? [];
        if (page !== undefined) request.url = `/${page}.html`;
        next();
      });
    },
  };
}

/**
 * The server behind the development page (tools/dev.ts). The Host header stays as it is, because the server takes the
 * domain to sign in to from it.
 */
function proxyToServer(): Record<string, ProxyOptions> {
  const target = process.env['ENGULF_SERVER_URL'] ?? 'http://127.0.0.1:3000';
  return {
    '/api': { target },
    '/avatars': { target },
    '/winningshare': { target },
    '/share-cards': { target },
    '^/replay/[^/]+/card\\.png$': { target },
    '/docs': { target },
    '/integrity': { target },
    '^/how-to-play$': { target },
    '/raffle/': { target },
    '/echo': { target },
    '/page-fonts': { target },
    // The X of a server that plays it.
    '/dev/x': { target },
    '/socket.io': { target, ws: true },
    '/agar_game': { target, ws: true },
  };
}

/** Every request fails while the server restarts, which its own output already says. */
function devLogger(): Logger {
  const logger = createLogger('warn', { allowClearScreen: false });
  return {
    ...logger,
    error: (message, options) => {
      const code = (options?.error as NodeJS.ErrnoException | undefined)?.code;
      if (code !== 'ECONNREFUSED' && code !== 'ECONNRESET') logger.error(message, options);
    },
  };
}
