import { readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { createClaimCounterInstruction } from '@engulf/chain/admin/lobby-admin';
import { and, eq, gt, or } from 'drizzle-orm';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import { isPaid, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import { payoutBatches } from '../../platform/database/money.ts';
import { readSwitches } from '../../platform/switches.ts';
import { changeOnChain, requireSuperAdmin } from '../chain-change.ts';
import { type AdminContext, type Applying, defineChange, Refusal, Unfinished } from '../command.ts';
import { requireLobby } from '../find-rows.ts';

/*
 * Lobbies from before have no counter of claims. A claim that was signed without a number could be paid beside one that
 * has a number, so a lobby gets its counter when no such claim can land any more.
 */

export const orderClaims = defineChange({
  name: 'lobby order-claims',
  about: 'Gives a lobby a counter of claims on the chain, which then pays each claim once by itself.',
  notes: [
    'Needs payouts paused, and waits about two minutes, until nothing that was signed before can land. It cannot be undone.',
    'If it is interrupted, run it again.',
  ],
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (!isPaid(lobby)) throw new Refusal(`"${lobby.name}" is free.`);
    if (lobby.stage !== 'ready') throw new Refusal(`"${lobby.name}" is ${lobby.stage}.`);
    if (lobby.claimsInOrder && (await hasCounter(admin, lobby)))
      return { lines: [], apply: async () => undefined };
    await requireSuperAdmin(admin);
    await expectPaused(admin);
    return {
      lines: [`claims of "${lobby.name}" are counted on the chain, for good`],
      apply: async (applying) => {
        if (!(await hasCounter(admin, lobby))) await waitUntilQuiet(applying, lobby);
        await ensureClaimCounter(applying, lobby);
        await admin.db.transaction(async (tx) => {
          await changeLobby(tx, lobby, { claimsInOrder: true });
          await applying.note(tx, lobby.id, { step: 'done', before: lobby.claimsInOrder, after: true });
        });
        applying.report(
          'claims are in order. Now: npm run engulf -- switch clear payouts-paused --reason "…"',
        );
      },
    };
  },
});

/** Creates the counter of a lobby, unless it exists. */
export async function ensureClaimCounter(applying: Applying, lobby: PaidLobby): Promise<void> {
  const { admin } = applying;
  await changeOnChain(applying, {
    subject: lobby.id,
    isDone: () => hasCounter(admin, lobby),
    build: async () => {
      const superAdmin = await requireSuperAdmin(admin);
      const { programId } = await admin.openChain();
      const request = { programId, superAdmin, lobbyId: lobby.chainLobbyId };
      return { payer: superAdmin, instruction: await createClaimCounterInstruction(request) };
    },
  });
}

async function hasCounter(admin: AdminContext, { chainLobbyId }: PaidLobby): Promise<boolean> {
  const { rpc, programId } = await admin.openChain();
  return (await readClaimCounter(rpc, programId, chainLobbyId)) !== undefined;
}

async function expectPaused({ db }: AdminContext): Promise<void> {
  if ((await readSwitches(db))['payouts-paused']) return;
  throw new Refusal('Pause payouts first: npm run engulf -- switch set payouts-paused on --reason "…"');
}

/** A blockhash lives for 150 blocks, and healthy nodes are less than that behind each other. */
const QUIET_BLOCKS = 300n;
const POLL_MS = 500;
/** A claim in flight is decided within minutes, and then the quiet blocks begin. */
const WAIT_MS = 15 * 60_000;

/**
 * Waits until every node is past the life of all that may have been signed: by this server, or by one whose books were
 * lost since.
 */
async function waitUntilQuiet({ admin, report }: Applying, lobby: PaidLobby): Promise<void> {
  const startedMs = performance.now();
  let quietSince = await readQuietStart(admin);
  report('waiting until no older claim can land');
  for (;;) {
    await expectPaused(admin);
    const heights = await readHeights(admin);
    if (await hasClaims(admin, lobby, quietSince.at)) quietSince = await readQuietStart(admin);
    else if (heights.every((height) => height > quietSince.height + QUIET_BLOCKS)) return;
    if (performance.now() - startedMs > WAIT_MS) {
      throw new Unfinished(
        `Claims of "${lobby.name}" are still in flight. See: npm run engulf -- payouts list`,
      );
    }
    await admin.pause(POLL_MS);
  }
}

async function readQuietStart(admin: AdminContext) {
  const heights = await readHeights(admin);
  return {
    at: new Date(admin.nowMs()),
    height: heights.reduce((most, height) => (height > most ? height : most), 0n),
  };
}

/** Of all nodes: one that does not answer could know of blocks that the others do not. */
async function readHeights(admin: AdminContext): Promise<bigint[]> {
  const { nodes } = await admin.openChain();
  return Promise.all(nodes.map((node) => node.getBlockHeight({ commitment: 'finalized' }).send()));
}

async function hasClaims({ db }: AdminContext, { id }: PaidLobby, since: Date): Promise<boolean> {
  const isRecent = or(eq(payoutBatches.status, 'open'), gt(payoutBatches.createdAt, since));
  const rows = await db
    .select({ id: payoutBatches.id })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, id), isRecent))
    .limit(1);
  return rows.length > 0;
}
