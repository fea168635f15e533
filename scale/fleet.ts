import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '@engulf/server/testing/services';

type Role = 'api' | 'game' | 'worker';

/** A process of the server, and what is left of it after its end. */
export type Member = {
  readonly name: string;
  readonly role: Role;
  readonly folder: string;
  readonly pid: number;
  /** Where clients reach its rooms. */
  readonly address: string | undefined;
  /** Undefined while it runs. */
  endedAtMs: number | undefined;
  /** Since when it has been frozen; its rooms do not count from then on. */
  frozenAtMs: number | undefined;
  /** Resolves to the exit code. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGCONT'): Promise<number | null>;
  /** Freezes it, with all its connections open, until it is ended or continued. */
  freeze(): void;
  wake(): void;
};

export type Fleet = {
  readonly members: readonly Member[];
  /** Resolves when it listens. */
  start(role: Role, name: string, environment: Record<string, string>): Promise<Member>;
  living(role: Role): Member[];
  endAll(): Promise<void>;
};

const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url));
const START_WITHIN_MS = 120_000;

export function createFleet(folder: string, shared: Record<string, string>): Fleet {
  const members: Member[] = [];
  return {
    members,
    start: async (role, name, environment) => {
      const home = join(folder, name);
      mkdirSync(home);
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          ...shared,
          ENGULF_ROLES: role,
          ENGULF_DATA_DIR: home,
          ...environment,
        },
      });
      const member: Member = {
        name,
        role,
        folder: home,
        pid: child.pid!,
        address: environment['GAME_PUBLIC_URL'],
        endedAtMs: undefined,
        frozenAtMs: undefined,
        freeze: () => {
          member.frozenAtMs = Date.now();
          child.kill('SIGSTOP');
        },
        wake: () => {
          child.kill('SIGCONT');
        },
        end: async (signal) => {
          if (member.endedAtMs !== undefined) return child.exitCode;
          const exited = once(child, 'exit');
          child.kill(signal);
          await exited;
          return child.exitCode;
        },
      };
      endWithUs(child).once('exit', () => {
        member.endedAtMs = Date.now();
      });
      members.push(member);
      await untilListening(child, name);
      return member;
    },
    living: (role) => members.filter((member) => member.role === role && member.endedAtMs === undefined),
    endAll: async () => {
      await Promise.all(members.map((member) => member.end('SIGKILL')));
    },
  };
}

/** The lines of a member's log. */
export function readLog({ folder }: Member): Record<string, unknown>[] {
  const file = join(folder, 'server.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch {
        // The last line of a process that was killed may be cut.
        return [];
      }
    });
}

/** Resolves to what was printed. */
export function untilListening(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string) => reject(new Error(`${name} ${reason}:\n${output}`));
    const timer = setTimeout(() => fail('did not start in time'), START_WITHIN_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/Stop with/.test(output)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
}
