import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataFolder = {
  readonly path: string;
  /** Generated on first use, then always the same. */
  secret(name: string): string;
  release(): void;
};

/**
 * Takes the folder for this process alone: two on the same database files would lose rows silently. The lock is
 * the operating system's, by way of SQLite: it dies with its process and cannot be taken from a living one.
 */
export function openDataFolder(path: string): DataFolder {
  makePrivateFolder(path);
  const holderFile = join(path, 'holder');
  const lock = takeLock(join(path, 'lock.sqlite'), () => readIfThere(holderFile) ?? 'unknown');
  writeDurably(holderFile, String(process.pid));
  return {
    path,
    secret: (name) => loadOrCreateSecret(join(path, `${name}.secret`)),
    release: () => lock.close(),
  };
}

export class DataFolderInUse extends Error {}
export class DataFolderNotPrivate extends Error {}

/**
 * Makes sure that the folder belongs to this user and nobody else can look into it, before anything is written
 * there: keys that were readable even for a moment are compromised.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE });
  const isOurs = statSync(path).uid === process.getuid?.();
  if (process.getuid && !isOurs) {
    throw new DataFolderNotPrivate(`The data folder ${path} belongs to another user.`);
  }
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, PRIVATE);
  if (process.getuid && (statSync(path).mode & OTHERS) !== 0) {
    throw new DataFolderNotPrivate(`The data folder ${path} can be read by others. Run: chmod 700 ${path}`);
  }
}

const PRIVATE = 0o700;
const OTHERS = 0o077;

function takeLock(path: string, holder: () => string): DatabaseSync {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw new DataFolderInUse(
      `Engulf runs already: the data folder is in use by process ${holder()}. Stop it first, or start another one with ` +
        'ENGULF_DATA_DIR, PORT, LOCALNET_RPC_PORT and LOCALNET_WS_PORT of its own.',
      { cause },
    );
  }
}

function loadOrCreateSecret(path: string): string {
  const known = readIfThere(path);
  if (known) return known;
  const secret = randomBytes(32).toString('base64url');
  writeDurably(path, secret);
  return secret;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All or nothing, also through a power cut. */
function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
}
