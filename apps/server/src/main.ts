import { restartWithSettings } from './process-settings.mjs';

restartWithSettings();
await import('./run-server.ts');
