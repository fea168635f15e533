import { randomUUID } from 'node:crypto';
import { readLobby } from '@engulf/chain/accounts/read-configs';
import {
  createClaimCounterInstruction,
  createLobbyInstruction,
  isLobbyIdFree,
} from '@engulf/chain/admin/lobby-admin';
import { chainLobbyId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { LOBBY_TYPES } from '@engulf/domain/lobby/lobby-type';
import { formatExactAmount, USD } from '@engulf/domain/money/amount';
import { address } from '@solana/kit';
import { changeLobby, insertLobby } from '../../lobbies/lobby-changes.ts';
import { type LobbyRow, listAllLobbies, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../../platform/database/sql-state.ts';
import { type ChainChange, changeOnChain, rehearse, requireSuperAdmin } from '../chain-change.ts';
import { type AdminContext, type Applying, defineChange, Refusal } from '../command.ts';
import { isSet, optionalText, wholeNumber } from '../read-values.ts';
import { unusualPrice } from '../usual-price.ts';
import { readWantedLobby, unknownRegion, type WantedLobby } from '../wanted-lobby.ts';
import { ensureClaimCounter } from './lobby-order-claims.ts';

export const createLobby = defineChange({
  name: 'lobby create',
  about: 'Creates a lobby, on the chain as well if it costs something, and opens it.',
  notes: [
    'The price is in whole tokens: --price 0.05 are 0.05 SOL, or tokens of --mint. If it is interrupted, run the same',
    'command again: it goes on where it was and never creates a second lobby.',
  ],
  positionals: ['name'],
  options: {
    type: { type: 'string', value: 'TYPE', about: `One of ${LOBBY_TYPES.join(', ')}.` },
    price: { type: 'string', value: 'AMOUNT', about: 'What an entry costs. Not for free lobbies.' },
    mint: { type: 'string', value: 'ADDRESS', about: 'The token that is paid with. SOL if not given.' },
    symbol: { type: 'string', value: 'TEXT', about: 'The symbol of that token: USDC.' },
    usd: {
      type: 'string',
      value: 'AMOUNT',
      about: 'Free lobbies: the notional price in dollars; 1 if not given.',
    },
    seats: {
      type: 'string',
      value: 'NUMBER',
      about: 'How many can play at once, 2 to 100; 10 if not given.',
    },
    bots: {
      type: 'string',
      value: 'NUMBER',
      about: 'Free lobbies: how many bots keep it alive; 0 if not given.',
    },
    code: { type: 'string', value: 'CODE', about: 'Semi-private lobbies: the code to enter with.' },
    window: {
      type: 'string',
      multiple: true,
      value: 'HOURS',
      about: 'Opening hours in UTC: 18:00-02:00. Always open if not given.',
    },
    'entries-per-user': {
      type: 'string',
      value: 'NUMBER',
      about: 'How often one user may play. No limit if not given.',
    },
    gather: {
      type: 'string',
      value: 'NUMBER',
      about: 'How many have to gather before they are called to pay; 2 if not given.',
    },
    region: { type: 'string', value: 'TEXT', about: 'Whose game processes run it; any if not given.' },
    id: { type: 'string', value: 'NUMBER', about: 'The id on the chain; the next free one if not given.' },
    locked: { type: 'boolean', about: 'Leave it locked.' },
  },
  prepare: async ({ admin, positionals, values }) => {
    const wanted = await readWantedLobby(admin, positionals[0]!, values);
    const isLocked = isSet(values, 'locked');
    const same = (await listAllLobbies(admin.db)).find(
      ({ name, stage }) => stage !== 'removed' && name.toLowerCase() === wanted.name.toLowerCase(),
    );
    if (same) expectSame(same, wanted, optionalText(values, 'id'));
    if (same && same.stage !== 'creating') return { lines: [], apply: async () => undefined };
    const chainId = same?.chainLobbyId ?? (await chooseId(admin, wanted, optionalText(values, 'id')));
    if (chainId !== null)
      await rehearse(admin, creation(admin, { ...wanted, chainLobbyId: chainLobbyId(chainId) }));
    const warning = await unusualPrice(admin.db, wanted, wanted.entryFee);
    const nowhere = await unknownRegion(admin.db, wanted.region);
    const warnings = [nowhere, warning].filter((line) => line !== undefined);
    return {
      lines: [...describe(wanted, chainId, isLocked, same !== undefined), ...warnings],
      ...(warning && { confirmation: wanted.name }),
      apply: async (applying) => {
        const row = same ?? (await begin(applying, wanted, chainId, isLocked));
        if (row.stage === 'creating') await finish(applying, row as PaidLobby, isLocked);
      },
    };
  },
});

/** A repeated command has to ask for the same lobby. */
function expectSame(row: LobbyRow, wanted: WantedLobby, id: string | undefined): void {
  const different = (Object.keys(wanted) as (keyof WantedLobby)[]).filter(
    (key) => JSON.stringify(row[key], bigintText) !== JSON.stringify(wanted[key], bigintText),
  );
  const hasOtherId = id !== undefined && String(row.chainLobbyId) !== id;
  if (different.length === 0 && !hasOtherId) return;
  const what = [...different, ...(hasOtherId ? ['id'] : [])].join(', ');
  throw new Refusal(
    row.stage === 'creating'
      ? `The creation of "${row.name}" was interrupted, and was for another ${what}. Finish it with the same options, or give it up with: npm run engulf -- lobby remove "${row.name}"`
      : `There is a lobby "${row.name}" already, with another ${what}.`,
  );
}

const bigintText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

const MAX_TRIES = 1_000n;

async function chooseId(
  admin: AdminContext,
  wanted: WantedLobby,
  text: string | undefined,
): Promise<bigint | null> {
  if (wanted.lobbyType === 'free') return null;
  const { rpc, programId } = await admin.openChain();
  const known = (await listAllLobbies(admin.db)).flatMap((row) => row.chainLobbyId ?? []);
  if (text !== undefined) {
    const id = BigInt(wholeNumber(text, '--id', { min: 1, max: Number.MAX_SAFE_INTEGER }));
    if (known.some((other) => other === id))
      throw new Refusal(`A lobby has or had the id ${id}. Ids are used once.`);
    const account = await readLobby(rpc, programId, id);
    if (account && account.entryFeeAmount !== wanted.entryFee) {
      throw new Refusal(`The chain has a lobby ${id} with another price. Choose another id.`);
    }
    if (!account && !(await isLobbyIdFree(rpc, programId, id))) {
      throw new Refusal(`The id ${id} belonged to a lobby that was removed. Ids are used once.`);
    }
    return id;
  }
  const first = known.reduce((most, id) => (id > most ? id : most), 0n as bigint) + 1n;
  for (let id = first; id < first + MAX_TRIES; id++) if (await isLobbyIdFree(rpc, programId, id)) return id;
  throw new Refusal('No free id was found on the chain. Choose one with --id.');
}

function describe(
  wanted: WantedLobby,
  chainId: bigint | null,
  isLocked: boolean,
  isResumed: boolean,
): string[] {
  const token = { symbol: wanted.tokenSymbol, decimals: wanted.tokenDecimals };
  const hours = wanted.dailyOpenWindows?.map(({ startUtc, endUtc }) => `${startUtc}-${endUtc}`).join(', ');
  return [
    `lobby "${wanted.name}": ${wanted.lobbyType}, ${wanted.maxPlayers} seats, ${wanted.region ? `in ${wanted.region}, ` : ''}open ${hours || 'always'}${isResumed ? ' (its creation was interrupted)' : ''}`,
    ...(chainId === null
      ? [`free, counted as ${formatExactAmount(wanted.freeLobbyEntryUsd!, USD)} USD, ${wanted.botCount} bots`]
      : [
          `on the chain: lobby ${chainId}, entry ${formatExactAmount(wanted.entryFee, token)} ${token.symbol}`,
        ]),
    isLocked ? 'it stays locked' : 'players can enter as soon as a game server has opened its room',
  ];
}

/** The row is written first, so that the lobby's id stays reserved whatever happens next. */
async function begin(
  { admin, note, report }: Applying,
  wanted: WantedLobby,
  chainId: bigint | null,
  isLocked: boolean,
): Promise<LobbyRow> {
  const id = lobbyId(randomUUID());
  try {
    return await admin.db
      .transaction(async (tx) => {
        const all = await listAllLobbies(tx);
        const sortOrder = Math.max(-1, ...all.map((row) => row.sortOrder)) + 1;
        const onChain = chainId === null ? null : chainLobbyId(chainId);
        const isReady = onChain === null;
        const row = await insertLobby(tx, {
          ...wanted,
          id,
          sortOrder,
          chainLobbyId: onChain,
          stage: isReady ? 'ready' : 'creating',
          isLocked: isReady ? isLocked : true,
        });
        await note(tx, id, { step: isReady ? 'done' : 'begun', after: { ...wanted, chainLobbyId: onChain } });
        return row;
      })
      .then((row) => {
        report(`stored as ${id}`);
        return row;
      });
  } catch (error) {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    throw new Refusal('Somebody else created a lobby at the same moment. Run the command again.');
  }
}

/** What the chain has to know of a lobby. */
type Offer = Pick<PaidLobby, 'chainLobbyId' | 'entryFee' | 'tokenMint'>;

function creation(admin: AdminContext, offer: Offer): Omit<ChainChange, 'subject'> {
  const tokenMint = offer.tokenMint === null ? undefined : address(offer.tokenMint);
  return {
    isDone: async () => {
      const { rpc, programId } = await admin.openChain();
      const account = await readLobby(rpc, programId, offer.chainLobbyId, 'finalized');
      if (!account) return false;
      const isRight =
        account.entryFeeAmount === offer.entryFee &&
        (account.isSolLobby ? tokenMint === undefined : account.tokenMint === tokenMint);
      if (isRight) return true;
      throw new Refusal(
        `The chain has a lobby ${offer.chainLobbyId} with another price or token, which this command did not create.`,
      );
    },
    build: async () => {
      const superAdmin = await requireSuperAdmin(admin);
      const { programId } = await admin.openChain();
      const { entryFee, chainLobbyId: id } = offer;
      const request = { programId, superAdmin, lobbyId: id };
      return {
        payer: superAdmin,
        instruction: await createLobbyInstruction({ ...request, entryFee, tokenMint }),
        further: [await createClaimCounterInstruction(request)],
      };
    },
  };
}

async function finish(applying: Applying, lobby: PaidLobby, isLocked: boolean): Promise<void> {
  const { admin, note, report } = applying;
  await changeOnChain(applying, { subject: lobby.id, ...creation(admin, lobby) });
  // A version before this one may have created the lobby alone.
  await ensureClaimCounter(applying, lobby);
  await admin.db.transaction(async (tx) => {
    await changeLobby(tx, lobby, { stage: 'ready', isLocked, claimsInOrder: true });
    await note(tx, lobby.id, { step: 'done', isLocked });
  });
  report(isLocked ? 'ready, and locked' : 'open');
}
