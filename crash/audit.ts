import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { ask } from './fault-proxy.ts';
import type { World } from './page.ts';

/*
 * Reads the chain and the database without any code of the server and compares them: every unit that came in is a
 * payout, a refund, spill or fee, and nobody was paid twice.
 */

export type Audit = {
  readonly figures: Readonly<Record<string, string | number>>;
  /** Empty if all adds up. */
  readonly faults: readonly string[];
};

type LobbyRow = { id: string; name: string; chain_lobby_id: string };
/** What the lobby's transactions did to its account and to the wallets that it paid. */
type ChainBooks = {
  pool: bigint;
  readonly stakes: Map<string, bigint>;
  readonly received: Map<string, bigint>;
};

/** Asks the database. */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;

export async function audit(query: Query, chain: World['chain']): Promise<Audit> {
  const faults: string[] = [];
  const totals = { joins: 0, payouts: 0, eaten: 0, lamportsIn: 0n, lamportsOut: 0n, spill: 0n };
  const { rows: lobbies } = await query<LobbyRow>(
    'select id, name, chain_lobby_id::text from lobbies where chain_lobby_id is not null and token_mint is null',
  );
  for (const lobby of lobbies) {
    const books = await readChain(
      chain.rpcUrl,
      await findLobbyConfig(chain.programId, BigInt(lobby.chain_lobby_id)),
    );
    faults.push(
      ...(await comparePayments(query, lobby, books)),
      ...(await comparePayouts(query, lobby, books)),
    );
    const owed = await readOwed(query, lobby);
    if (owed.total !== books.pool) {
      faults.push(`${lobby.name}: the pool holds ${books.pool}, the books owe ${owed.total}`);
    }
    totals.joins += books.stakes.size;
    totals.lamportsIn += sum(books.stakes.values());
    totals.lamportsOut += sum(books.received.values());
    totals.spill += owed.spill;
    if (owed.total !== owed.spill)
      faults.push(`${lobby.name}: ${owed.total - owed.spill} are owed to players`);
  }
  faults.push(...(await findUnfinished(query)));
  const { rows } = await query<{ count: number }>('select count(*)::int as count from payouts');
  totals.payouts = rows[0]!.count;
  const { rows: eaten } = await query<{ count: number }>(
    `select count(*)::int as count from entries where outcome = 'killed' and entry_fee > 0`,
  );
  totals.eaten = eaten[0]!.count;
  const text = Object.entries(totals).map(([name, value]) => [name, String(value)]);
  return { figures: Object.fromEntries(text), faults };
}

/** Goes by the balances before and after each transaction, not by what the instructions say. */
async function readChain(rpcUrl: string, lobby: string): Promise<ChainBooks> {
  const { result: listed } = await ask(rpcUrl, 'getSignaturesForAddress', [
    lobby,
    { commitment: 'finalized' },
  ]);
  const books: ChainBooks = { pool: 0n, stakes: new Map(), received: new Map() };
  const signatures = (listed as { signature: string; err: unknown }[])
    .filter(({ err }) => err === null)
    .reverse();
  for (const [index, { signature }] of signatures.entries()) {
    const options = { commitment: 'finalized', maxSupportedTransactionVersion: 0, encoding: 'jsonParsed' };
    const { result } = await ask(rpcUrl, 'getTransaction', [signature, options]);
    const keys = (result.transaction.message.accountKeys as { pubkey: string }[]).map(({ pubkey }) => pubkey);
    const change = (at: number) => BigInt(result.meta.postBalances[at]) - BigInt(result.meta.preBalances[at]);
    const moved = change(keys.indexOf(lobby));
    // The first transaction creates the account and pays its rent.
    if (index === 0 || moved === 0n) continue;
    books.pool += moved;
    if (moved > 0n) {
      books.stakes.set(signature, moved);
      continue;
    }
    for (const [at, key] of keys.entries()) {
      if (key !== lobby && change(at) > 0n)
        books.received.set(key, (books.received.get(key) ?? 0n) + change(at));
    }
  }
  return books;
}

/**
 * How long payouts took that an undisturbed server owed: since it came up or, if later, since they were due. A seat that
 * was paid and never claimed is due two minutes after its payment.
 */
export async function readPayoutTimes(query: Query, undisturbedSince: Date): Promise<Audit['figures']> {
  const { rows } = await query<{ paid: number; p50: number; p99: number }>(
    `select count(*)::int as paid, percentile_disc(0.5) within group (order by seconds) as p50,
        percentile_disc(0.99) within group (order by seconds) as p99
      from (select round(extract(epoch from completed_at - greatest(created_at, $1)))::int as seconds
        from payouts where completed_at > $1) as late`,
    [undisturbedSince.toISOString()],
  );
  const { paid, p50, p99 } = rows[0]!;
  return { paidAfterwards: paid, paidAfterSP50: p50, paidAfterSP99: p99 };
}

async function comparePayments(query: Query, lobby: LobbyRow, { stakes }: ChainBooks): Promise<string[]> {
  const { rows } = await query<{ signature: string; stake: string; status: string }>(
    `select signature, sum(stake)::text as stake, min(status) as status from payments
     where lobby_id = $1 and status <> 'refused' group by signature`,
    [lobby.id],
  );
  const known = new Map(rows.map((row) => [row.signature, row]));
  const faults = rows
    .filter(({ signature }) => !stakes.has(signature))
    .map(({ signature, status }) => `${lobby.name}: payment ${signature} is ${status}, but not on the chain`);
  for (const [signature, stake] of stakes) {
    const row = known.get(signature);
    if (!row) faults.push(`${lobby.name}: ${stake} of ${signature} are in no book`);
    else if (row.status !== 'verified' || BigInt(row.stake) !== stake) {
      faults.push(`${lobby.name}: ${signature} brought ${stake}, the books say ${row.status} ${row.stake}`);
    }
  }
  return faults;
}

async function comparePayouts(query: Query, lobby: LobbyRow, { received }: ChainBooks): Promise<string[]> {
  const { rows } = await query<{ wallet: string; amount: string }>(
    `select wallet, sum(amount)::text as amount from payouts where lobby_id = $1 group by wallet`,
    [lobby.id],
  );
  const owed = new Map(rows.map(({ wallet, amount }) => [wallet, BigInt(amount)]));
  const wallets = new Set([...owed.keys(), ...received.keys()]);
  return [...wallets].flatMap((wallet) => {
    const [due, got] = [owed.get(wallet) ?? 0n, received.get(wallet) ?? 0n];
    return due === got ? [] : [`${lobby.name}: ${wallet} should have received ${due} and received ${got}`];
  });
}

/** From the postings alone; the balances that the server keeps are compared with them. */
async function readOwed(query: Query, lobby: LobbyRow): Promise<{ total: bigint; spill: bigint }> {
  const { rows } = await query<{ kind: string; owed: string; kept: string }>(
    `select a.kind, sum(a.balance)::text as kept, coalesce(sum(
        coalesce((select sum(amount) from ledger_postings where credit = a.id), 0)
        - coalesce((select sum(amount) from ledger_postings where debit = a.id), 0)), 0)::text as owed
     from ledger_accounts a where a.lobby_id = $1 and a.kind in ('bounty', 'spill', 'payable', 'gift') group by a.kind`,
    [lobby.id],
  );
  const wrong = rows.find(({ owed, kept }) => owed !== kept);
  if (wrong)
    throw new Error(`${lobby.name}: the balances of ${wrong.kind} are not the sums of their postings`);
  const spill = BigInt(rows.find(({ kind }) => kind === 'spill')?.owed ?? 0);
  return { total: sum(rows.map(({ owed }) => BigInt(owed))), spill };
}

/** Everything has an outcome, and every grant was paid. */
async function findUnfinished(query: Query): Promise<string[]> {
  const checks: [string, string][] = [
    [
      'entries without an end',
      `state in ('created', 'payment_processing', 'ticketSent', 'playing', 'refunding')`,
    ],
    [
      'entries that ended without an outcome',
      `state = 'ended' and (outcome is null or payout_amount is null)`,
    ],
  ];
  const faults: string[] = [];
  for (const [what, condition] of checks) {
    const { rows } = await query<{ id: string }>(`select id from entries where ${condition}`);
    if (rows.length > 0) faults.push(`${rows.length} ${what}: ${rows.map(({ id }) => id).join(', ')}`);
  }
  const { rows: unpaid } = await query<{ id: string }>(`select id from payouts where status <> 'completed'`);
  if (unpaid.length > 0) faults.push(`${unpaid.length} payouts are not completed`);
  const { rows: verifying } = await query(`select id from payments where status = 'verifying'`);
  if (verifying.length > 0) faults.push(`${verifying.length} payments are not decided`);
  return faults;
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);
