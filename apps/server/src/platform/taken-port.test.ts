import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from './config/config.ts';
import { explainTakenPort, PortTaken } from './taken-port.ts';

async function errorOfTakenPort(): Promise<NodeJS.ErrnoException & { port: number }> {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const { port } = first.address() as { port: number };
  const second = createServer();
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => second.once('error', resolve));
  second.listen(port, '127.0.0.1');
  const error = await failed;
  first.close();
  return error as NodeJS.ErrnoException & { port: number };
}

test.each(['PORT', 'LOCALNET_RPC_PORT', 'LOCALNET_WS_PORT'])('a taken %s is named', async (variable) => {
  const error = await errorOfTakenPort();
  const explained = explainTakenPort(error, readConfig({ [variable]: String(error.port) }));
  expect(explained).toBeInstanceOf(PortTaken);
  expect((explained as Error).message).toBe(
    `Another program uses port ${error.port}. Choose another one: ${variable}=${error.port + 1} npm start`,
  );
});

test('other errors are left as they are', async () => {
  const config = readConfig({});
  const other = new Error('something else');
  expect(explainTakenPort(other, config)).toBe(other);
  const unknown = await errorOfTakenPort();
  expect(explainTakenPort(unknown, config)).toBe(unknown);
});
