import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endWithUs } from '@engulf/server/testing/services';
import { endProcess, startServerProcess } from '@engulf/trials/server-process';

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

export function createFleet(folder: string, shared: Record<string, string>): Fleet {
  const members: Member[] = [];
  return {
    members,
    start: async (role, name, environment) => {
      const home = join(folder, name);
      mkdirSync(home);
      let member: Member | undefined;
      await startServerProcess({
        environment: { ...shared, ENGULF_ROLES: role, ENGULF_DATA_DIR: home, ...environment },
        onSpawned: (child) => {
          member = memberOf(child, { name, role, folder: home, address: environment['GAME_PUBLIC_URL'] });
          members.push(member);
        },
      });
      return member!;
    },
    living: (role) => members.filter((member) => member.role === role && member.endedAtMs === undefined),
    endAll: async () => {
      await Promise.all(members.map((member) => member.end('SIGKILL')));
    },
  };
}

function memberOf(child: ChildProcess, about: Pick<Member, 'name' | 'role' | 'folder' | 'address'>): Member {
  const member: Member = {
    ...about,
    pid: child.pid!,
    endedAtMs: undefined,
    frozenAtMs: undefined,
    freeze: () => {
      member.frozenAtMs = Date.now();
      child.kill('SIGSTOP');
    },
    wake: () => {
      child.kill('SIGCONT');
    },
    end: (signal) => endProcess(child, signal),
  };
  endWithUs(child).once('exit', () => {
    member.endedAtMs = Date.now();
  });
  return member;
}
