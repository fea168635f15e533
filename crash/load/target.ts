import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { readConfig } from '@engulf/protocol/http/config';
import { readSolvency, type Solvency } from '@engulf/protocol/http/solvency';
import { endProcess } from '@engulf/trials/server-process';
import { address } from '@solana/kit';
import { type Audit, audit } from '../audit.ts';
import { createHome } from '../home.ts';
import type { World } from '../page.ts';

/** The server under load. */
export type Target = {
  readonly world: World;
  /** Without test money only free lobbies can be entered. */
  readonly canPay: boolean;
  /** What is wrong with the money, once everything is paid. Ends a server of ours. */
  close(): Promise<Audit>;
};

/** A server in a temporary folder, whose database and chain are read in the end. */
export async function startOwnTarget(): Promise<Target> {
  const home = await createHome();
  let server: ChildProcess | undefined;
  const isStarted = await home.startServer({ rpcUrl: home.chain.rpcUrl, roomProcesses: 0 }, (child) => {
    server = child;
  });
  if (!isStarted) throw new Error('The server did not start');
  return {
    world: home,
    canPay: true,
    close: async () => {
      await endProcess(server!, 'SIGINT');
      const db = await PGlite.create(join(home.folder, 'database'));
      const result = await audit((text, values) => db.query(text, values), home.chain);
      await db.close();
      if (result.faults.length === 0) await home.dispose();
      else console.error(`The data is kept in ${home.folder}`);
      return result;
    },
  };
}

/** A server that runs already. Its books are judged by what it publishes. */
export async function openTarget(url: string, accessCode: string): Promise<Target> {
  const config = readConfig.answer.parse(await getJson(url + readConfig.path));
  return {
    world: {
      url,
      accessCode: () => accessCode,
      chain: {
        rpcUrl: config.rpcUrl,
        programId: address(config.programId),
        treasury: address(config.treasury),
        fund: async (wallet) => {
          const answer = await fetch(`${url}/api/dev/faucet`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ wallet }),
          });
          if (answer.ok || config.mode !== 'embedded') return;
          throw new Error(
            answer.status === 429
              ? 'The server limits what one address may do. Start it with RATE_LIMIT_SCALE=100 for this.'
              : `The faucet answered ${answer.status}`,
          );
        },
      },
    },
    canPay: config.mode === 'embedded',
    close: async () => judgeSolvency(readSolvency.answer.parse(await getJson(url + readSolvency.path))),
  };
}

function judgeSolvency({ lobbies }: Solvency): Audit {
  const faults = lobbies.flatMap(({ name, state, reading }) =>
    state === 'covered' ? [] : [`${name}: ${state}, ${reading?.missing ?? 'an unknown amount'} missing`],
  );
  const covered = lobbies.length - faults.length;
  return { figures: { lobbies: lobbies.length, covered }, faults };
}

async function getJson(url: string): Promise<unknown> {
  return (await fetch(url, { signal: AbortSignal.timeout(15_000) })).json();
}
