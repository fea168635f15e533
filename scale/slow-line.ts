import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A long way to a service: everything arrives later, in order, and nothing while the line is cut. */
export type SlowLine = {
  /** The service's own address, by this way. */
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): void;
};

/** `wayMs` there, and as much back. */
export async function startSlowLine(serviceUrl: string, wayMs: number): Promise<SlowLine> {
  const [url, service] = [new URL(serviceUrl), new URL(serviceUrl)];
  const sockets = new Set<Socket>();
  let isCut = false;
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay(true);
    if (isCut) from.pause();
    const later = (act: () => void) => setTimeout(() => to.destroyed || act(), wayMs);
    from.on('data', (bytes) => later(() => to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      later(() => to.destroy());
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(service.port), service.hostname);
    carry(near, far);
    carry(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
