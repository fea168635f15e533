import { readLobby } from '@engulf/chain/accounts/read-configs';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { isPaid, type LobbyRow, listAllLobbies } from '../../src/lobbies/lobby-rows.ts';
import { auditLog } from '../../src/platform/database/operations.ts';
import type { TestServer } from '../test-server.ts';
import type { Operator } from './operator.ts';

export const REASON = ['--reason', 'a test'];

let counter = 0;

export function newLobbyName(): string {
  return `Tank ${++counter}`;
}

export async function lobbiesNamed({ context }: TestServer, name: string): Promise<LobbyRow[]> {
  return (await listAllLobbies(context.db)).filter((row) => row.name === name);
}

export async function lobbyOnChain({ chain }: TestServer, row: LobbyRow) {
  return isPaid(row) ? readLobby(chain.rpc, chain.programId, row.chainLobbyId, 'finalized') : undefined;
}

export function notesAbout({ context }: TestServer, subject: string) {
  return context.db.select().from(auditLog).where(eq(auditLog.subject, subject)).orderBy(auditLog.id);
}

/** A lobby for 0.05 SOL, made with the tool. */
export async function createPaidLobby(
  server: TestServer,
  operator: Operator,
  ...options: readonly string[]
): Promise<LobbyRow> {
  const name = newLobbyName();
  const price = ['--type', 'normal', '--price', '0.05'];
  const made = await operator.run('lobby', 'create', name, ...price, ...options, ...REASON);
  expect(made).toMatchObject({ code: 0, errors: '' });
  return (await lobbiesNamed(server, name))[0]!;
}
