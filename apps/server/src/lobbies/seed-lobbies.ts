import { randomUUID } from 'node:crypto';
import { readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { readLobby } from '@engulf/chain/accounts/read-configs';
import {
  createClaimCounterInstruction,
  createLobbyInstruction,
  setPayoutKeyInstruction,
} from '@engulf/chain/admin/lobby-admin';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { chainLobbyId, lobbyId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { SOL } from '@engulf/domain/money/amount';
import {
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Chain, TestMoney } from '../platform/chain/chain.ts';
import type { Context } from '../platform/context.ts';
import type { lobbies } from '../platform/database/games.ts';
import { openKey } from '../platform/super-admin-key.ts';
import { insertLobby } from './lobby-changes.ts';
import { listAllLobbies } from './lobby-rows.ts';

type NewLobby = Omit<typeof lobbies.$inferInsert, 'id' | 'sortOrder'>;

/** One lobby of each kind, so that everything can be tried on a fresh clone. */
function seeds({ token }: TestMoney): NewLobby[] {
  const free = { lobbyType: 'free', tokenSymbol: 'USD', tokenDecimals: 6, entryFee: 0n } as const;
  const sol = { lobbyType: 'normal', tokenSymbol: SOL.symbol, tokenDecimals: SOL.decimals } as const;
  const paid = (id: bigint) => ({ chainLobbyId: chainLobbyId(id), maxPlayers: 10 });
  return [
    { ...free, name: 'Petri Dish', freeLobbyEntryUsd: 1_000_000n, maxPlayers: 25, botCount: 14 },
    { ...free, name: 'Primordial', freeLobbyEntryUsd: 5_000_000n, maxPlayers: 10, botCount: 6 },
    { ...sol, ...paid(1n), name: 'Shallows', entryFee: 50_000_000n },
    { ...sol, ...paid(2n), name: 'The Deep', entryFee: 500_000_000n },
    {
      ...paid(3n),
      lobbyType: 'normal',
      name: 'Gulp Tank',
      tokenSymbol: token.symbol,
      tokenDecimals: token.decimals,
      tokenMint: walletAddress(token.mint),
      entryFee: 25n * 10n ** BigInt(token.decimals),
    },
    {
      ...sol,
      ...paid(4n),
      lobbyType: 'semi-private',
      name: 'Inner Circle',
      entryFee: 100_000_000n,
      lobbyCode: 'AMOEBA',
      dailyOpenWindows: [],
    },
    {
      ...sol,
      ...paid(5n),
      name: 'Night Shift',
      entryFee: 100_000_000n,
      dailyOpenWindows: [{ startUtc: '18:00', endUtc: '02:00' }],
    },
  ];
}

/** Creates the lobbies that are missing in the embedded database or on the embedded chain. */
export async function seedLobbies(context: Pick<Context, 'db' | 'chain'>): Promise<void> {
  const { chain, db } = context;
  if (!chain.test) return;
  const rows = await listAllLobbies(db);
  const known = new Set(rows.map(({ name }) => name));
  const wanted = seeds(chain.test);
  // What an operator changed is left alone; the id of a removed lobby cannot even be used again.
  const changed = new Set(rows.filter(({ stage }) => stage !== 'ready').map((row) => row.chainLobbyId));
  await createOnChain(
    chain,
    wanted.filter(({ chainLobbyId }) => !changed.has(chainLobbyId ?? null)),
  );
  for (const [sortOrder, seed] of wanted.entries()) {
    if (known.has(seed.name)) continue;
    const { chainLobbyId: id } = seed;
    const counter = id == null ? undefined : await readClaimCounter(chain.rpc, chain.programId, id);
    const claimsInOrder = counter !== undefined;
    await insertLobby(db, { ...seed, id: lobbyId(randomUUID()), sortOrder, claimsInOrder });
  }
}

async function createOnChain(chain: Chain, wanted: readonly NewLobby[]): Promise<void> {
  const instructions: Instruction[] = [];
  const grants: Instruction[] = [];
  for (const { chainLobbyId, entryFee, tokenMint } of wanted) {
    if (chainLobbyId == null) continue;
    if (await readLobby(chain.rpc, chain.programId, chainLobbyId)) continue;
    const request = {
      programId: chain.programId,
      superAdmin: openKey(chain.superAdminKey),
      lobbyId: chainLobbyId,
    };
    const mint = tokenMint ? address(tokenMint) : undefined;
    instructions.push(
      await createLobbyInstruction({ ...request, entryFee, tokenMint: mint }),
      await createClaimCounterInstruction(request),
    );
    if (chain.payoutKey) {
      const maxWindow = WINDOW_FEES * entryFee;
      const terms = { key: chain.payoutKey.address, maxClaim: maxWindow, maxWindow, windowSlots: HOUR_SLOTS };
      grants.push(await setPayoutKeyInstruction({ ...request, payoutKey: terms }));
    }
  }
  if (instructions.length === 0) return;
  const sent = [await send(chain, instructions), ...(grants.length > 0 ? [await send(chain, grants)] : [])];
  for (const signed of sent) {
    const fate = await awaitFinality({ rpc: chain.rpc, ...signed, pollMs: 100 });
    if (fate.kind !== 'finalized')
      throw new Error(`The lobbies could not be created: ${JSON.stringify(fate)}`);
  }
}

/** What the payout key may pay within an hour: play money, so that nobody has to wait for the next. */
const WINDOW_FEES = 1_000n;
const HOUR_SLOTS = 9_000n;

async function send({ rpc, superAdminKey }: Chain, instructions: readonly Instruction[]) {
  const superAdmin = openKey(superAdminKey);
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const signed = await signForSending(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(superAdmin, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
  await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
  return signed;
}
