import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';

export type DataFolder = {
  readonly path: string;
  /** Made on first use, then the same for ever. */
  secret(name: string): string;
  release(): Promise<void>;
};

/** Longer than the event loop is ever blocked: the first start of the embedded database takes some seconds. */
const STALE_AFTER_MS = 60_000;
const SIGN_OF_LIFE_MS = 5_000;

/**
 * Takes the folder for this process alone: two on the same database files would lose rows without a word. It is
 * never taken from a process that lives, and at once from one that was killed.
 */
export async function openDataFolder(path: string, onLockLost: (error: Error) => void): Promise<DataFolder> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const holderFile = join(path, 'holder');
  const endTakeover = await lockfile.lock(join(path, 'takeover'), {
    realpath: false,
    stale: 5_000,
    retries: { retries: 30, minTimeout: 250, maxTimeout: 250 },
  });
  try {
    const holder = readIfThere(holderFile);
    if (holder && isAlive(holder)) throw inUse(path, holder);
    if (holder) rmSync(`${holderFile}.lock`, { recursive: true, force: true });
    const unlock = await lockfile
      .lock(holderFile, {
        realpath: false,
        stale: STALE_AFTER_MS,
        update: SIGN_OF_LIFE_MS,
        onCompromised: onLockLost,
      })
      .catch((cause: unknown) => {
        throw inUse(path, 'unknown', cause);
      });
    writeDurably(holderFile, identityOf(process.pid));
    return {
      path,
      secret: (name) => loadOrCreateSecret(join(path, `${name}.secret`)),
      release: async () => {
        writeDurably(holderFile, '');
        await unlock();
      },
    };
  } finally {
    await endTakeover();
  }
}

export class DataFolderInUse extends Error {}

function inUse(path: string, holder: string, cause?: unknown): DataFolderInUse {
  return new DataFolderInUse(`${path} is in use by process ${holder.split(' ')[0]}. Stop it first.`, {
    cause,
  });
}

/** Process ids are reused; together with the time of its start one names a process. */
function identityOf(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`);
  const startTicks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return startTicks === undefined ? String(pid) : `${pid} ${startTicks}`;
}

function isAlive(identity: string): boolean {
  const pid = Number(identity.split(' ')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return identityOf(pid) === identity;
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

/** Whole or not at all, also through a power cut. */
function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
}
