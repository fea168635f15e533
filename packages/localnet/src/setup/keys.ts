import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  type KeyPairSigner,
} from '@solana/kit';

const KEY_NAMES = [
  'faucet',
  'super-admin',
  'treasury',
  'payout-key',
  'anchor',
  'program',
  'test-token-mint',
] as const;

export type LocalnetKeys = Readonly<Record<(typeof KEY_NAMES)[number], KeyPairSigner>>;

/** Created once and kept in files in the format of `solana-keygen`, readable by their owner only. */
export async function loadOrCreateKeys(folder: string): Promise<LocalnetKeys> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const entries: [string, KeyPairSigner][] = [];
  for (const name of KEY_NAMES) entries.push([name, await loadOrCreateKey(join(folder, `${name}.json`))]);
  return Object.fromEntries(entries) as LocalnetKeys;
}

async function loadOrCreateKey(path: string): Promise<KeyPairSigner> {
  const bytes = readKeyFile(path);
  if (bytes) return createKeyPairSignerFromBytes(bytes);
  const privateKey = crypto.getRandomValues(new Uint8Array(32));
  const signer = await createKeyPairSignerFromPrivateKeyBytes(privateKey);
  writeKeyFile(path, [...privateKey, ...getAddressEncoder().encode(signer.address)]);
  return signer;
}

function readKeyFile(path: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')) as number[]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The key file ${path} cannot be read`, { cause: error });
  }
}

/** Atomic: a half-written key would orphan what it owns on chain. */
function writeKeyFile(path: string, bytes: readonly number[]): void {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w', 0o600);
  writeFileSync(file, JSON.stringify(bytes));
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
