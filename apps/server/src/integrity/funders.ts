import { findFunder } from '@engulf/chain/node/wallet-funder';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { type Address, address } from '@solana/kit';
import { inArray } from 'drizzle-orm';
import type { Chain } from '../platform/chain/chain.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';

/** Hops back from a wallet. With two calls each and two wallets, at most eight calls. */
const HOPS = 2;

/**
 * Whether one wallet stands behind the wallets of two users, a hop or two back. Asked when somebody looks at a case. It is no
 * evidence: exchanges fund many wallets, and anybody can send money to anybody.
 */
export async function describeFunders(
  db: Database,
  openChain: () => Promise<Pick<Chain, 'rpc'>>,
  [one, two]: readonly [UserId, UserId],
): Promise<string | undefined> {
  const rows = await db
    .select()
    .from(users)
    .where(inArray(users.id, [one, two]));
  const walletOf = (id: UserId) => address(rows.find((row) => row.id === id)!.walletAddress);
  return describeSharedFunder(openChain, [walletOf(one), walletOf(two)]);
}

/** A node that fails, answers late or with nonsense costs this one line, not the rest of the case. */
export async function describeSharedFunder(
  openChain: () => Promise<Pick<Chain, 'rpc'>>,
  wallets: readonly [Address, Address],
): Promise<string | undefined> {
  try {
    const { rpc } = await openChain();
    const [first, second] = await Promise.all(wallets.map((wallet) => walletsBehind(rpc, wallet)));
    const shared = first!.find((wallet) => second!.includes(wallet));
    return shared && `One wallet stands behind both: ${shared}. It may be an exchange.`;
  } catch {
    return 'The chain could not be asked who funded their wallets.';
  }
}

async function walletsBehind(rpc: Chain['rpc'], wallet: Address): Promise<Address[]> {
  const found: Address[] = [wallet];
  for (let hop = 0; hop < HOPS; hop++) {
    const funder = await findFunder(rpc, found.at(-1)!);
    if (funder === undefined) break;
    found.push(funder);
  }
  return found;
}
