import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Another way to the server, whose connections can die as they do in a bad network: nobody is told. */
export type SilentLine = {
  readonly port: number;
  /** From now on no end of the connections that are open hears of the other. New ones work. */
  fallSilent(): void;
  close(): void;
};

export async function openSilentLine(serverPort: number): Promise<SilentLine> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const end of pair) {
      end.on('error', () => {});
      end.on('close', () => {
        if (pairs.delete(pair)) for (const each of pair) each.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      for (const pair of pairs) for (const end of pair) end.unpipe().resume();
      pairs.clear();
    },
    close: () => server.close(),
  };
}
