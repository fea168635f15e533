import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Tells which hops of a connection are our own proxies; the first address that is not one is the client's. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads TRUST_PROXY: `false`, the number of proxies in front of the server, or their addresses and networks,
 * separated by commas. `true` is refused: it would believe whatever address a client writes into the header.
 */
export function parseTrustProxy(text: string): TrustProxy | undefined {
  const value = text.trim();
  if (value === 'false' || value === '0') return () => false;
  if (/^[1-9]\d?$/.test(value)) return (_address, hop) => hop < Number(value);
  const addresses = value.split(',').map((part) => part.trim());
  return addresses.every(isAddressOrNetwork) ? proxyAddr.compile(addresses) : undefined;
}

/** The address that limits count by. */
export function clientAddress(request: IncomingMessage, trustProxy: TrustProxy): string {
  return countedAddress(proxyAddr(request, trustProxy));
}

/** An IPv6 client usually has a whole /64 network, so that counts as one address. */
export function countedAddress(address: string): string {
  return isIP(address) === 6 ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [text = ''] = address.split('%');
  // A URL spells every address in the same way, with `::` for zeros that are left out.
  const [head = '', tail = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before!.length - after!.length }, () => '0');
  return `${[...before!, ...zeros, ...after!].slice(0, 4).join(':')}::/64`;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return isIP(address) !== 0 && isPrefix && rest.length === 0;
}
