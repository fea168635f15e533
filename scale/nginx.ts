import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@engulf/localnet/testing/free-ports';
import { createService, type Service } from '@engulf/server/testing/services';

/** One name for everything, as in production: the api processes share the load, each game process has a path. */
export async function startNginx(
  apiPorts: readonly number[],
  gamePorts: readonly number[],
): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-nginx-'));
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(port, folder, apiPorts, gamePorts));
  const nginx = createService(port, `http://localhost:${port}`, folder, () =>
    spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' }),
  );
  await nginx.start();
  return nginx;
}

function configuration(
  port: number,
  folder: string,
  apiPorts: readonly number[],
  gamePorts: readonly number[],
): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // One process without workers: whatever ends it, nothing of it is left.
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_connect_timeout 2s;
  proxy_read_timeout 1h;
  upstream api {
${apiPorts.map((api) => `    server 127.0.0.1:${api} max_fails=1 fail_timeout=2s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://api; }
${gamePorts
  .map((game, index) => `    location /game/${index + 1}/ { proxy_pass http://127.0.0.1:${game}/; }`)
  .join('\n')}
  }
}
`;
}
