import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the development server finds the API, the menu socket and the rooms. */
const serverUrl = process.env.ENGULF_SERVER_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': serverUrl,
      '/socket.io': { target: serverUrl, ws: true },
      '/matchmake': serverUrl,
    },
  },
  build: {
    target: 'es2023',
    // Pixi and kit are big by nature; what counts is that the menu does not wait for the arena.
    chunkSizeWarningLimit: 900,
  },
});
