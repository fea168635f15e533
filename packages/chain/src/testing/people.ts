import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Address, getAddressDecoder, type ReadonlyUint8Array, type SignatureBytes } from '@solana/kit';

/** What stands before the seed of an Ed25519 key in PKCS #8. */
const KEY_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const keys = new Map<Address, KeyObject>();

/** The address of a person of this number. */
export function testAddress(number: number): Address {
  const seed = Buffer.alloc(32, 7);
  seed.writeUInt32BE(number);
  const key = createPrivateKey({ key: Buffer.concat([KEY_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const address = getAddressDecoder().decode(Buffer.from(x!, 'base64url'));
  keys.set(address, key);
  return address;
}

export function signAs(address: Address, message: ReadonlyUint8Array): SignatureBytes {
  return new Uint8Array(sign(null, Uint8Array.from(message), keys.get(address)!)) as SignatureBytes;
}
