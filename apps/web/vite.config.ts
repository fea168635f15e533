import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server behind the development server: API, menu socket and rooms. */
const serverUrl = process.env.ENGULF_SERVER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': serverUrl,
      '/socket.io': { target: serverUrl, ws: true },
      '/matchmake': serverUrl,
      // Room sockets: /<process id>/<room id>?sessionId=…
      '^/[\\w-]+/[\\w-]+\\?.*sessionId=': { target: serverUrl, ws: true },
    },
  },
  build: {
    target: 'es2023',
    // Pixi and kit are big, but the menu does not wait for the arena.
    chunkSizeWarningLimit: 900,
  },
});
