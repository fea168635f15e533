import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/open-database.ts';

/** Whom the money in a lobby's pool belongs to, by the books. */
export type Owed = {
  readonly bounties: bigint;
  readonly spill: bigint;
  readonly payouts: bigint;
  /** Owed to nobody. */
  readonly gifts: bigint;
  /** The total: what the pool should hold. */
  readonly held: bigint;
  /** To how many wallets it is owed. */
  readonly people: number;
};

/** In one statement, so that the sums are consistent. */
export async function readOwed(db: Database, lobbyId: LobbyId): Promise<Owed> {
  const { rows } = await db.execute<{ [column: string]: string }>(sql`
    with open_accounts as (
      select id, kind, balance from ledger_accounts where lobby_id = ${lobbyId} and balance <> 0
    ), wallets as (
      select users.wallet_address as wallet
      from open_accounts
      join entries on open_accounts.id = 'bounty:' || entries.id and entries.lobby_id = ${lobbyId}
        and entries.state in ('ticketSent', 'playing')
      join users on users.id = entries.user_id
      where open_accounts.kind = 'bounty'
      union
      select payouts.wallet
      from open_accounts
      join payouts on open_accounts.id = 'payable:' || payouts.id and payouts.lobby_id = ${lobbyId}
        and payouts.status in ('pending', 'processing')
      where open_accounts.kind = 'payable'
    )
    select
      coalesce(sum(balance) filter (where kind = 'bounty'), 0)::text as bounties,
      coalesce(sum(balance) filter (where kind = 'spill'), 0)::text as spill,
      coalesce(sum(balance) filter (where kind = 'payable'), 0)::text as payouts,
      coalesce(sum(balance) filter (where kind = 'gift'), 0)::text as gifts,
      coalesce(-sum(balance) filter (where kind = 'pool'), 0)::text as held,
      (select count(*) from wallets)::text as people
    from open_accounts
  `);
  const row = rows[0]!;
  const sum = (name: string) => BigInt(row[name]!);
  return {
    bounties: sum('bounties'),
    spill: sum('spill'),
    payouts: sum('payouts'),
    gifts: sum('gifts'),
    held: sum('held'),
    people: Number(row['people']),
  };
}
