import { and, eq, isNotNull, ne } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { poolOf } from '../../src/money/ledger/accounts.ts';
import { readBalance } from '../../src/money/ledger/post.ts';
import { lobbiesThatOwe, payLobby } from '../../src/money/payouts/pay-lobby.ts';
import { holdPayouts, releasePayouts } from '../../src/money/payouts/payout-states.ts';
import { payouts } from '../../src/platform/database/money.ts';
import { GOOD_NODE as GOOD, type NodeView } from './payout-chain.ts';
import type { PayoutWorld } from './payout-model.ts';

/*
 * Everything that can happen on the way of a payout, as commands for a model-based test. The model is plain: what a
 * wallet is owed; it may never have received more.
 */

type Command = fc.AsyncCommand<object, PayoutWorld>;

function command(name: string, run: (world: PayoutWorld) => Promise<unknown> | unknown): Command {
  return {
    check: () => true,
    run: async (_, world) => {
      await run(world);
      expectNobodyOverpaid(world);
    },
    toString: () => name,
  };
}

function expectNobodyOverpaid({ chain, owed }: PayoutWorld): void {
  for (const [wallet, received] of chain.received) expect(received).toBeLessThanOrEqual(owed.get(wallet)!);
}

/** What the worker's scheduler does for the lobby. An error is logged there, and the work is found again. */
async function work(world: PayoutWorld, killedAtStep?: number): Promise<void> {
  const { context, deps } = world.worker(killedAtStep);
  await payLobby(context, world.lobby.id, deps).catch(() => undefined);
}

/** Finds payments that a restored database does not know. */
async function reconcile(world: PayoutWorld): Promise<void> {
  const { deps } = world.worker();
  await deps.bookPayments(world.lobby.id).catch(() => undefined);
}

const owe = (wallet: string, amount: number) =>
  command(`owe ${amount} to ${wallet.slice(0, 4)}`, (world) => world.owe(wallet, BigInt(amount)));
const works = command('a worker works', (world) => work(world));
const dies = (step: number) => command(`a worker dies at step ${step}`, (world) => work(world, step));
const twoWork = (step: number | undefined) =>
  command(`two workers work, one dies at ${step}`, (world) => Promise.all([work(world, step), work(world)]));
const lands = (isFailing: boolean) =>
  command(isFailing ? 'claims fail on the chain' : 'claims land', ({ chain }) => chain.land(isFailing));
const blocks = (count: number) =>
  command(`${count} blocks`, (world) => {
    world.chain.height += count;
  });
const time = (ms: number) =>
  command(`${ms} ms`, (world) => {
    landThroughHonest(world);
    world.nowMs += ms;
  });
const node = (index: 0 | 1, change: (world: PayoutWorld) => NodeView) =>
  command(`node ${index} changes`, (world) => {
    for (const view of world.nodes) if (view.isForetelling) Object.assign(view, GOOD);
    Object.assign(world.nodes[index], change(world));
  });
/** One node lies that claims are paid, and the other one is good: of two liars nobody could know better. */
const foretells = (index: 0 | 1) =>
  command(`node ${index} foretells`, ({ nodes }) => {
    Object.assign(nodes[1 - index]!, GOOD);
    Object.assign(nodes[index], { ...GOOD, isForetelling: true });
  });
/** In minutes what is sent through a good node comes into a block. */
const landThroughHonest = ({ chain, nodes }: PayoutWorld) => {
  if (nodes.some(({ isForetelling }) => isForetelling)) chain.land(false);
};
const loses = command('what was sent is lost', ({ chain }) => chain.lose());

/** Only the pool's balance tells, when the claims seem to have expired. */
const amnesia = command('claims land, and both nodes forget it', ({ chain, nodes }) => {
  chain.land(false);
  chain.height += 1;
  for (const view of nodes) Object.assign(view, { ...GOOD, knowsSince: chain.height });
  chain.height += 480;
});

const granted = (isGranted: boolean) =>
  command(`the payout key is ${isGranted ? 'set' : 'revoked'}`, (world) => world.setGranted(isGranted));
const signersRestart = command('the signers restart', (world) => world.restartSigners());
const otherSigner = command('the other signer is asked', (world) => world.changeSigner());
const backUp = command('the database is backed up', (world) => world.backUp());
const restore = command('the database is restored', (world) => world.restore());
const wallet = (name: string, canReceive: boolean) =>
  command(`${name.slice(0, 4)} can ${canReceive ? '' : 'not '}receive`, ({ chain }) => {
    if (canReceive) chain.unpayable.delete(name);
    else chain.unpayable.add(name);
  });

const hold = command('a person holds all', async ({ db, lobby, nowMs }) => {
  const isOpen = and(eq(payouts.lobbyId, lobby.id), ne(payouts.status, 'completed'));
  const rows = await db.select().from(payouts).where(isOpen);
  const ids = rows.map(({ id }) => id);
  await holdPayouts(db, ids, { reason: 'a person', nowMs });
});
const release = command('a person releases all', releaseAll);

async function releaseAll(world: PayoutWorld): Promise<void> {
  const { db, lobby, nowMs } = world;
  world.releases++;
  const rows = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.lobbyId, lobby.id), isNotNull(payouts.heldAt)));
  const ids = rows.map(({ id }) => id);
  await releasePayouts(db, ids, nowMs);
}

/** What only claims in order stand: the old ones are inferred from what nodes say. */
function onlyInOrder(): fc.Arbitrary<Command>[] {
  const which = fc.constantFrom(0 as const, 1 as const);
  return [
    which.map((index) => node(index, () => ({ ...GOOD, historyLagBlocks: 600 }))),
    which.map((index) => node(index, () => ({ ...GOOD, lagBlocks: 600, isLying: true }))),
    which.map((index) => node(index, () => ({ ...GOOD, lagBlocks: 600 }))),
    which.map((index) => node(index, () => ({ ...GOOD, isDenyingKey: true }))),
    which.map(foretells),
    fc.constant(loses),
    fc.constant(otherSigner),
    fc.boolean().map(granted),
    fc.constant(command('a worker reconciles', reconcile)),
    fc.constant(backUp),
    fc.constant(restore),
    fc.constant(restore),
  ];
}

export function payoutCommands(
  wallets: readonly string[],
  { isInOrder }: { readonly isInOrder: boolean },
): fc.Arbitrary<Command>[] {
  const step = fc.integer({ min: 1, max: 60 });
  const which = fc.constantFrom(0 as const, 1 as const);
  return [
    ...(isInOrder ? onlyInOrder() : []),
    // Seven is over the limit of a payout, and more than two large ones over that of an hour.
    fc
      .tuple(fc.constantFrom(...wallets), fc.integer({ min: 1, max: 7 }))
      .map(([to, amount]) => owe(to, amount)),
    fc.constant(works),
    fc.constant(works),
    step.map(dies),
    step.map(dies),
    fc.option(step, { nil: undefined }).map(twoWork),
    fc.boolean().map(lands),
    fc.constant(lands(false)),
    fc.constantFrom(1, 40, 160, 320, 480).map(blocks),
    fc.constantFrom(6_000, 61_000, 301_000, 3_601_000).map(time),
    which.map((index) => node(index, () => GOOD)),
    fc
      .tuple(which, fc.integer({ min: 1, max: 250 }))
      .map(([index, lagBlocks]) => node(index, () => ({ ...GOOD, lagBlocks }))),
    which.map((index) => node(index, ({ chain }) => ({ ...GOOD, knowsSince: chain.height }))),
    which.map((index) => node(index, () => ({ ...GOOD, isAway: true }))),
    fc.constant(amnesia),
    fc.constant(signersRestart),
    fc.tuple(fc.constantFrom(...wallets), fc.boolean()).map(([name, canReceive]) => wallet(name, canReceive)),
    fc.constant(hold),
    fc.constant(release),
  ];
}

/** Payouts that were refused are made one by one. */
const MAX_ROUNDS = 100;

/**
 * Once these nodes are good, everything comes to its end: everybody has exactly what they are owed, and the books agree.
 */
export async function expectEverythingPaid(
  world: PayoutWorld,
  goodNodes: readonly (0 | 1)[] = [0, 1],
): Promise<void> {
  const { chain, db, lobby, nodes, owed } = world;
  for (const index of goodNodes) Object.assign(nodes[index], GOOD);
  chain.unpayable.clear();
  world.setGranted(true);
  await reconcile(world);
  const unpaid = () =>
    db
      .select()
      .from(payouts)
      .where(and(eq(payouts.lobbyId, lobby.id), ne(payouts.status, 'completed')));
  for (let round = 0; (await unpaid()).length > 0; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(
        `not paid: ${JSON.stringify(await unpaid(), (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
      );
    await releaseAll(world);
    await work(world);
    // The scheduler is back within seconds: what exceeds a limit waits longer than that, and the rest is paid meanwhile.
    await work(world);
    chain.land(false);
    chain.height += 500;
    world.nowMs += 700_000;
  }
  expect(Object.fromEntries(chain.received)).toEqual(Object.fromEntries(owed));
  expect(await readBalance(db, poolOf(lobby.id))).toBe(0n);
  expect(chain.pool()).toBe(0n);
  const { context } = world.worker();
  expect(await lobbiesThatOwe(context)).not.toContain(lobby.id);
}
