import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Two ports nobody listens on right now. */
export async function findFreePorts(): Promise<{ rpcPort: number; wsPort: number }> {
  const probes = [createServer(), createServer()];
  const ports: number[] = [];
  for (const probe of probes) {
    probe.listen(0, '127.0.0.1');
    await once(probe, 'listening');
    ports.push((probe.address() as AddressInfo).port);
  }
  for (const probe of probes) {
    probe.close();
    await once(probe, 'close');
  }
  return { rpcPort: ports[0]!, wsPort: ports[1]! };
}
