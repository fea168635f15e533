import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientAddress, parseTrustProxy } from './client-address.ts';

/** A request that reached us from `remoteAddress`; the header lists what earlier hops claim. */
function requestFrom(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  return {
    socket: { remoteAddress },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  } as unknown as IncomingMessage;
}

const addressOf = (trust: string, remoteAddress: string, forwardedFor?: string) =>
  clientAddress(requestFrom(remoteAddress, forwardedFor), parseTrustProxy(trust)!);

describe("the client's address", () => {
  test('is that of the socket if no proxy is trusted, whatever the header claims', () => {
    expect(addressOf('false', '203.0.113.7', '1.2.3.4')).toBe('203.0.113.7');
  });

  test('is the one that the last of one proxy saw, not what the client wrote before it', () => {
    expect(addressOf('1', '10.0.0.1', '6.6.6.6, 203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('2', '10.0.0.1', '6.6.6.6, 203.0.113.7, 10.0.0.2')).toBe('203.0.113.7');
  });

  test('is taken from the header only if the socket is a known proxy', () => {
    expect(addressOf('10.0.0.0/8', '10.0.0.1', '6.6.6.6, 203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('10.0.0.0/8', '203.0.113.9', '6.6.6.6')).toBe('203.0.113.9');
    expect(addressOf('10.0.0.1, ::1', '::1', '203.0.113.7, 10.0.0.1')).toBe('203.0.113.7');
  });

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('in IPv6 is the network of the client: %s counts as %s', (address, counted) => {
    expect(addressOf('false', address)).toBe(counted);
  });

  test.each(['true', 'yes', 'proxy.example', '10.0.0.0/33', '10.0.0.1,', '1.5', '-1', ''])(
    'cannot be configured by %j',
    (text) => {
      expect(parseTrustProxy(text)).toBeUndefined();
    },
  );
});
