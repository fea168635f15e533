import { findTokenAccount } from '@engulf/chain/accounts/pdas';
import { type Lobby, readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { splitFee } from '@engulf/domain/money/bounty';
import type { Address, Rpc, SolanaRpcApi } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { Localnet } from '../src/start-localnet.ts';

export type DemoRpc = Rpc<SolanaRpcApi>;

/** In base units. */
type Holdings = {
  readonly lamports: bigint;
  readonly tokens: bigint;
};

type Balances = ReadonlyMap<string, Holdings>;

/** What wallets and lobby pools hold, at finalized commitment. */
export async function readBalances(
  rpc: DemoRpc,
  net: Localnet,
  wallets: Readonly<Record<string, Address>>,
  lobbies: Readonly<Record<string, bigint>>,
): Promise<Balances> {
  const balances = new Map<string, Holdings>();
  for (const [name, wallet] of Object.entries(wallets)) {
    const { value: lamports } = await rpc.getBalance(wallet, { commitment: 'finalized' }).send();
    balances.set(name, { lamports, tokens: await readTokens(rpc, wallet, net.testToken.mint) });
  }
  for (const [name, lobbyId] of Object.entries(lobbies)) {
    const lobby = await expectLobby(rpc, net.programId, lobbyId);
    const pool = await readPool(rpc, lobby, 'finalized');
    balances.set(name, lobby.isSolLobby ? { lamports: pool, tokens: 0n } : { lamports: 0n, tokens: pool });
  }
  return balances;
}

export async function expectLobby(rpc: DemoRpc, programId: Address, lobbyId: bigint): Promise<Lobby> {
  const lobby = await readLobby(rpc, programId, lobbyId, 'finalized');
  if (!lobby) throw new Error(`Lobby ${lobbyId} is not on the chain`);
  return lobby;
}

async function readTokens(rpc: DemoRpc, owner: Address, mint: Address): Promise<bigint> {
  const account = await findTokenAccount({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  const { value } = await rpc.getAccountInfo(account, { commitment: 'finalized', encoding: 'base64' }).send();
  if (!value) return 0n;
  const { value: balance } = await rpc.getTokenAccountBalance(account, { commitment: 'finalized' }).send();
  return BigInt(balance.amount);
}

/** Keeps track of what every account must hold at the end, to the last unit. */
export class Expectations {
  readonly #expected: Map<string, Holdings>;

  constructor(before: Balances) {
    this.#expected = new Map(before);
  }

  move(unit: keyof Holdings, from: string, to: string, amount: bigint): void {
    this.add(unit, from, -amount);
    this.add(unit, to, amount);
  }

  join(unit: keyof Holdings, player: string, pool: string, entryFee: bigint, feeBasisPoints: number): void {
    const { treasury, stake } = splitFee(entryFee, feeBasisPoints);
    this.move(unit, player, 'treasury', treasury);
    this.move(unit, player, pool, stake);
  }

  /** Money that leaves the tracked accounts: network fees and the rent of new accounts. */
  spend(name: string, lamports: bigint): void {
    this.add('lamports', name, -lamports);
  }

  differences(after: Balances): string[] {
    return [...this.#expected].flatMap(([name, expected]) => {
      const actual = after.get(name);
      return (['lamports', 'tokens'] as const)
        .filter((unit) => actual?.[unit] !== expected[unit])
        .map((unit) => `${name}: ${actual?.[unit]} ${unit}, expected ${expected[unit]}`);
    });
  }

  private add(unit: keyof Holdings, name: string, amount: bigint): void {
    const holdings = this.#expected.get(name);
    if (!holdings) throw new Error(`The balance of ${name} is not tracked`);
    this.#expected.set(name, { ...holdings, [unit]: holdings[unit] + amount });
  }
}

export function printBalances(before: Balances, after: Balances): void {
  const rows = [...before].map(([name, { lamports, tokens }]) => [
    name,
    String(lamports),
    String(after.get(name)?.lamports),
    String(tokens),
    String(after.get(name)?.tokens),
  ]);
  const header = ['', 'lamports before', 'lamports after', 'GULP before', 'GULP after'];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  console.log();
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}
