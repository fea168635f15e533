import { createHash } from 'node:crypto';
import type pg from 'pg';

/** The token of a session that `fillDatabase` opened. */
export const tokenOf = (user: number): string => `bench-session-${user}`;

const SESSIONS = 1_000;

/** A text that reads as an address: 43 characters without a zero. */
const WALLET = `'z' || translate(left(md5('a' || n) || md5('b' || n), 42), '0', 'g')`;

/**
 * Players and games in the numbers of a good year. A few play all the time and most now and then, over the last 60
 * days; every third game is cashed out.
 */
export async function fillDatabase(
  client: pg.Client,
  { users, games }: { users: number; games: number },
): Promise<void> {
  await client.query(
    `insert into users (id, wallet_address, name, referral_code)
     select md5('user' || n)::uuid, ${WALLET}, 'b' || n, (select min(code) from referral_codes)
     from generate_series(0, $1 - 1) n`,
    [users],
  );
  await client.query(
    `insert into entries (id, user_id, lobby_id, state, payment_session_id, entry_fee, stake, created_at, started_at,
       ended_at, outcome, payout_amount, final_mass_milli)
     select md5('entry' || n)::uuid, md5('user' || floor(power(random(), 3) * $2::int)::int)::uuid, lobby.id, 'ended',
       md5('session' || n)::uuid, lobby.entry_fee, lobby.entry_fee * 95 / 100, ended, ended, ended,
       case n % 3 when 0 then 'cashout' when 1 then 'killed' else 'forfeit' end,
       case n % 3 when 0 then (lobby.entry_fee * (0.5 + 3 * random()))::numeric(20, 0) when 1 then 0
         else lobby.entry_fee * 95 / 100 end, 40000
     from generate_series(0, $1 - 1) n
     cross join lateral (select now() - random() * interval '60 days' + n * interval '0 seconds' as ended) times
     join (select *, row_number() over (order by sort_order) - 1 as place from lobbies
       where chain_lobby_id is not null and token_mint is null) lobby
       on lobby.place = n % (select count(*) from lobbies where chain_lobby_id is not null and token_mint is null)`,
    [games, users],
  );
  await client.query(
    `insert into payouts (id, lobby_id, entry_id, user_id, wallet, amount, is_refund, status, created_at, completed_at)
     select md5('payout' || id)::uuid, lobby_id, id, user_id, 'bench', payout_amount, outcome <> 'cashout', 'pending',
       ended_at, null from entries where payout_amount > 0 and id in (select id from entries)`,
  );
  for (let user = 0; user < SESSIONS; user++) {
    const hash = createHash('sha256').update(tokenOf(user)).digest('base64url');
    await client.query(
      `insert into sign_in_sessions (token_hash, id, user_id, expires_at)
       values ($1, md5('sign-in' || $2)::uuid, md5('user' || $2)::uuid, now() + interval '1 day')`,
      [hash, user],
    );
  }
  await client.query('vacuum analyze');
}
