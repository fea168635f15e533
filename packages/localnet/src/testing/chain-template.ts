import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalnet } from '../start-localnet.ts';
import { findFreePorts } from './free-ports.ts';

const SOURCE = join(import.meta.dirname, '..');
export const PROGRAM_SO = fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so'));

/**
 * Puts a chain that is set up into a folder, to be started there. Deploying the program takes some seventy transactions,
 * so the first test keeps what they left for the others to copy.
 */
export async function placeTestChain(folder: string): Promise<void> {
  cpSync(await prepareTemplate(), folder, { recursive: true });
}

async function prepareTemplate(): Promise<string> {
  const home = join(tmpdir(), 'engulf-test-chains');
  const template = join(home, templateHash());
  if (existsSync(template)) return template;
  mkdirSync(home, { recursive: true });
  const draft = mkdtempSync(`${template}-`);
  const ports = await findFreePorts();
  const net = await startLocalnet({ dataDir: draft, ...ports, slotTimeMs: 50, programSoPath: PROGRAM_SO });
  await net.stop();
  try {
    // Moved into place when it is complete, because several test files may do this at once. One of them is the first.
    renameSync(draft, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
    rmSync(draft, { recursive: true });
  }
  return template;
}

/** Of everything that decides what a chain that is set up looks like on disk. */
function templateHash(): string {
  const hash = createHash('sha256').update(readFileSync(PROGRAM_SO));
  for (const file of globSync('{journal,setup}/*.ts', { cwd: SOURCE }).sort())
    hash.update(readFileSync(join(SOURCE, file)));
  return hash.digest('hex').slice(0, 16);
}
