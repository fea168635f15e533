import { readGlobalConfig, readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { readMint, removeLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { isLockedAt } from '@engulf/domain/lobby/opening-hours';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { address } from '@solana/kit';
import { and, count, eq, ne, or } from 'drizzle-orm';
import { lockLobby } from '../../entries/seats.ts';
import { hasRoom } from '../../lobbies/lease.ts';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import { findLobby, isPaid, type LobbyRow, type PaidLobby, tokenOf } from '../../lobbies/lobby-rows.ts';
import { giftsOf, poolOf, spillOf } from '../../money/ledger/accounts.ts';
import { type LobbyBooks, readLobbyBooks } from '../../money/ledger/books.ts';
import { post } from '../../money/ledger/post.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { entries, IS_LIVE, isIn, payments } from '../../platform/database/games.ts';
import { payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { changeOnChain, finishOpen, rehearse, requireSuperAdmin } from '../chain-change.ts';
import { type AdminContext, type Applying, defineChange, Refusal, withChain } from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { isSet } from '../read-values.ts';

export const removeLobby = defineChange({
  name: 'lobby remove',
  about: 'Removes a locked lobby that owes nothing, from the chain as well. Its history stays.',
  notes: ['Its id on the chain can never be used again. If it is interrupted, run the same command again.'],
  positionals: ['lobby'],
  options: {
    'write-off-spill': {
      type: 'boolean',
      about: 'Send to the treasury what players who left gave up, and nobody is left to share.',
    },
    'sweep-gifts': { type: 'boolean', about: 'Send to the treasury what strangers gave to the pool.' },
  },
  prepare: async ({ admin, positionals: [name], values }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (lobby.stage === 'removed') return { lines: [], apply: async () => undefined };
    const mustSweep = isSet(values, 'sweep-gifts');
    const mustWriteOff = isSet(values, 'write-off-spill');
    await expectNothingOwed(admin, admin.db, lobby, mustWriteOff);
    const spill = (await booksOf(admin.db, lobby))?.spill ?? 0n;
    const gifts = (await booksOf(admin.db, lobby))?.gifts ?? 0n;
    if (gifts > 0n && !mustSweep && lobby.stage !== 'removing') {
      const text = `${formatExactAmount(gifts, tokenOf(lobby))} ${lobby.tokenSymbol}`;
      throw new Refusal(`Strangers gave ${text} to the pool. Add --sweep-gifts to send it to the treasury.`);
    }
    if (isPaid(lobby)) await rehearse(admin, await removal(admin, lobby));
    return {
      lines: [
        `lobby "${lobby.name}" (${lobby.id}) is removed from the menu`,
        ...(isPaid(lobby)
          ? [`lobby ${lobby.chainLobbyId} is removed from the chain, its rent goes to the super admin`]
          : []),
        ...(gifts + spill > 0n
          ? [`${formatExactAmount(gifts + spill, tokenOf(lobby))} ${lobby.tokenSymbol} go to the treasury`]
          : []),
      ],
      confirmation: lobby.name,
      apply: (applying) => apply(applying, lobby, mustWriteOff),
    };
  },
});

async function apply(applying: Applying, lobby: LobbyRow, mustWriteOff: boolean): Promise<void> {
  const { admin, note, report } = applying;
  const removing = await admin.db.transaction(async (tx) => {
    // Nobody takes a seat between the check and the change.
    const locked = await lockLobby(tx, lobby.id);
    if (!locked || locked.stage === 'removing') return locked;
    await expectNothingOwed(admin, tx, locked, mustWriteOff);
    const spill = (await booksOf(tx, locked))?.spill ?? 0n;
    const posting = { debit: spillOf(lobby.id), credit: giftsOf(lobby.id), amount: spill };
    await post(tx, { key: `spill-written-off:${lobby.id}`, lobbyId: lobby.id, postings: [posting] });
    await note(tx, lobby.id, { step: 'begun', before: { stage: locked.stage }, spillToTreasury: spill });
    return changeLobby(tx, locked, { stage: 'removing', isLocked: true });
  });
  if (!removing) throw new Refusal(`"${lobby.name}" does not exist any more.`);
  report('hidden from new players');
  if (isPaid(removing)) await removeFromChain(applying, removing);
  await admin.db.transaction(async (tx) => {
    const gifts = (await booksOf(tx, lobby))?.gifts ?? 0n;
    const swept = { debit: giftsOf(lobby.id), credit: poolOf(lobby.id), amount: gifts };
    await post(tx, { key: `gifts-swept:${lobby.id}`, lobbyId: lobby.id, postings: [swept] });
    await changeLobby(tx, removing, { stage: 'removed' });
    await note(tx, lobby.id, { step: 'done', giftsToTreasury: gifts });
  });
  report('removed');
}

async function removeFromChain(applying: Applying, lobby: PaidLobby): Promise<void> {
  const { admin } = applying;
  const context = await withChain(admin);
  await finishOpen(applying, context, lobby.id);
  const { isDone, build } = await removal(admin, lobby);
  // A creation that was interrupted may have left nothing there.
  if (await isDone()) return;
  await reconcileLobby(context, lobby.id, 'unproven');
  await expectNothingOwed(admin, admin.db, (await findLobby(admin.db, lobby.id))!);
  await changeOnChain(applying, {
    subject: lobby.id,
    isDone,
    build: async () => {
      const gifts = (await booksOf(admin.db, lobby))?.gifts ?? 0n;
      const { pool, ...built } = await build();
      // The program checks it again: a payment that arrives right now stops the removal.
      if (pool !== gifts)
        throw new Refusal(
          `The pool holds ${pool} base units; ${gifts} of them are gifts. Run: npm run engulf -- reconcile "${lobby.name}"`,
        );
      return built;
    },
  });
}

/** Takes a lobby from the chain, with what its pool holds now and no more. */
async function removal(admin: AdminContext, lobby: PaidLobby) {
  const { rpc, programId } = await admin.openChain();
  return {
    isDone: async () => (await readLobby(rpc, programId, lobby.chainLobbyId, 'finalized')) === undefined,
    build: async () => {
      const superAdmin = await requireSuperAdmin(admin);
      const account = (await readLobby(rpc, programId, lobby.chainLobbyId))!;
      const pool = await readPool(rpc, account);
      const config = (await readGlobalConfig(rpc, programId))!;
      const token = lobby.tokenMint === null ? undefined : await readMint(rpc, address(lobby.tokenMint));
      const instruction = await removeLobbyInstruction({
        programId,
        superAdmin,
        lobbyId: lobby.chainLobbyId,
        treasury: config.platformTreasury,
        maxSurplus: pool,
        token: account.isSolLobby ? undefined : token,
      });
      return { payer: superAdmin, instruction, pool };
    },
  };
}

async function booksOf(db: Database, { id }: LobbyRow): Promise<LobbyBooks | undefined> {
  return (await readLobbyBooks(db)).find(({ lobbyId }) => lobbyId === id);
}

/** Throws a refusal that lists every obstacle. */
async function expectNothingOwed(
  admin: AdminContext,
  db: Database,
  lobby: LobbyRow,
  mustWriteOff = false,
): Promise<void> {
  const obstacles: string[] = [];
  const add = (amount: number | bigint, what: string) => {
    if (amount > 0) obstacles.push(`${amount} ${what}`);
  };
  const { id } = lobby;
  if (!isLockedAt(lobby, admin.nowMs()))
    obstacles.push(`it is not locked: npm run engulf -- lobby lock "${lobby.name}"`);
  if (await hasRoom({ db }, id)) obstacles.push('its room is still open');
  const [live] = await db
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.lobbyId, id), or(IS_LIVE, isIn(['refunding']))));
  add(live!.count, 'entries that are not settled');
  const unpaid = await db
    .select({ id: payouts.id, waitsForWallet: payouts.waitsForWallet })
    .from(payouts)
    .where(and(eq(payouts.lobbyId, id), ne(payouts.status, 'completed')));
  add(unpaid.length, 'payouts that are not completed');
  for (const payout of unpaid.filter(({ waitsForWallet }) => waitsForWallet)) {
    const command = `npm run engulf -- payouts enable ${payout.id}`;
    obstacles.push(`one of them waits for its wallet, to which you can give what it lacks: ${command}`);
  }
  const [undecided] = await db
    .select({ count: count() })
    .from(payments)
    .where(and(eq(payments.lobbyId, id), eq(payments.status, 'verifying')));
  add(undecided!.count, 'payments that are not decided');
  const books = await booksOf(db, lobby);
  add(books?.bounties ?? 0n, 'base units of bounties');
  add(books?.payable ?? 0n, 'base units that are owed to wallets');
  if (!mustWriteOff)
    add(books?.spill ?? 0n, 'base units of spill, which belong to the next match (or add --write-off-spill)');
  if (obstacles.length > 0) throw new Refusal(`"${lobby.name}" cannot be removed: ${obstacles.join('; ')}.`);
}
