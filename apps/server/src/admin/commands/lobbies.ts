import { isLobbyOpen, isLockedAt } from '@engulf/domain/lobby/opening-hours';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { lockLobby as lockRow } from '../../entries/seats.ts';
import { findRoom } from '../../lobbies/lease.ts';
import { changeLobby } from '../../lobbies/lobby-changes.ts';
import { isPaid, type LobbyRow, listAllLobbies, tokenOf } from '../../lobbies/lobby-rows.ts';
import {
  type AdminContext,
  type Change,
  type Command,
  defineChange,
  defineRead,
  Refusal,
  UsageError,
} from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { durationMs, isSet, neededText, optionalText, textList, timeOf, windowOf } from '../read-values.ts';
import { showDifference, showTable } from '../show.ts';
import { gatherSizeOf, lobbyCodeOf, regionOf, unknownRegion } from '../wanted-lobby.ts';
import { createLobby } from './lobby-create.ts';
import { orderClaims } from './lobby-order-claims.ts';
import { PAYOUT_KEY_COMMANDS } from './lobby-payout-key.ts';
import { changePrice } from './lobby-price.ts';
import { removeLobby } from './lobby-remove.ts';

const listLobbies = defineRead({
  name: 'lobby list',
  about: 'Lists the lobbies.',
  positionals: [],
  options: { all: { type: 'boolean', about: 'Include removed ones.' } },
  read: async ({ admin, values }) => {
    const rows = (await listAllLobbies(admin.db)).filter(
      ({ stage }) => stage !== 'removed' || isSet(values, 'all'),
    );
    const described = await Promise.all(rows.map((lobby) => describeLobby(admin, lobby)));
    return showTable(described, 'There are no lobbies yet. Run: npm run engulf -- lobby create --help');
  },
});

export async function describeLobby(admin: AdminContext, lobby: LobbyRow) {
  const token = tokenOf(lobby);
  const room = await findRoom(admin, lobby.id);
  return {
    name: lobby.name,
    type: lobby.lobbyType,
    price: isPaid(lobby) ? `${formatExactAmount(lobby.entryFee, token)} ${token.symbol}` : 'free',
    seats: lobby.maxPlayers,
    state: stateOf(lobby, admin.nowMs()),
    room: room ? 'running' : 'none',
    process: room?.address ?? null,
    region: lobby.region,
    hours: windowsText(lobby.dailyOpenWindows),
    code: lobby.lobbyCode,
    chainId: lobby.chainLobbyId,
    id: lobby.id,
  };
}

function stateOf(lobby: LobbyRow, nowMs: number): string {
  if (lobby.stage === 'creating') return 'creation unfinished';
  if (lobby.stage === 'removing') return 'removal unfinished';
  if (lobby.stage === 'removed') return 'removed';
  if (lobby.nextEntryFee !== null) return 'price change unfinished';
  if (isLockedAt(lobby, nowMs)) return 'locked';
  if (lobby.drainsAtMs !== null) return `closes ${new Date(lobby.drainsAtMs).toISOString().slice(0, 16)}`;
  return isLobbyOpen(lobby, nowMs) ? 'open' : 'closed by its hours';
}

function windowsText(windows: LobbyRow['dailyOpenWindows']): string {
  return windows?.map(({ startUtc, endUtc }) => `${startUtc}-${endUtc}`).join(', ') || 'always';
}

type Fields = Parameters<typeof changeLobby>[2];

/** A change of the row alone. Rooms notice it within two seconds. */
function rowChange(lobby: LobbyRow, fields: Fields, lines: readonly (string | undefined)[]): Change {
  if (lobby.stage !== 'ready') throw new Refusal(`"${lobby.name}" is ${lobby.stage}: finish that first.`);
  const before = Object.fromEntries(Object.keys(fields).map((key) => [key, lobby[key as keyof Fields]]));
  return {
    lines: lines.filter((line) => line !== undefined),
    apply: async ({ admin, note }) => {
      await admin.db.transaction(async (tx) => {
        const row = await lockRow(tx, lobby.id);
        if (row?.stage !== 'ready') throw new Refusal(`"${lobby.name}" was changed by somebody else.`);
        await changeLobby(tx, row, fields);
        await note(tx, lobby.id, { before, after: fields });
      });
    },
  };
}

const lockLobby = defineChange({
  name: 'lobby lock',
  about: 'Locks a lobby: nobody enters, and a running match ends after two minutes.',
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) => {
    const lobby = await requireLobby(admin.db, name!);
    const fields = { isLocked: true, drainsAtMs: null };
    const line = `"${lobby.name}" is locked; a running match ends two minutes later, everyone alive gets the bounty back`;
    return rowChange(lobby, fields, [lobby.isLocked ? undefined : line]);
  },
});

const unlockLobby = defineChange({
  name: 'lobby unlock',
  about: 'Opens a lobby that was locked or drained. Its opening hours still hold.',
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) => {
    const lobby = await requireLobby(admin.db, name!);
    const isClosed = lobby.isLocked || lobby.drainsAtMs !== null;
    const line = isClosed ? `"${lobby.name}" is unlocked` : undefined;
    return rowChange(lobby, { isLocked: false, drainsAtMs: null }, [line]);
  },
});

const MIN_DRAIN_MS = 60_000;
const MAX_DRAIN_MS = 7 * 24 * 3_600_000;

const drainLobby = defineChange({
  name: 'lobby drain',
  about: 'Closes a lobby at a time that players are told of: the room announces it five minutes ahead.',
  notes: ['Afterwards it stays closed until it is unlocked. Unlocking before that time calls it off.'],
  positionals: ['lobby'],
  options: {
    in: { type: 'string', value: 'TIME', about: 'When: 10m, 2h. At least one minute.' },
    at: { type: 'string', value: 'TIME', about: 'Instead of --in: 2026-12-01T18:00Z.' },
  },
  prepare: async ({ admin, positionals: [name], values }) => {
    const lobby = await requireLobby(admin.db, name!);
    const at = optionalText(values, 'at');
    if (at !== undefined && values['in'] !== undefined) throw new UsageError('Give --in or --at, not both.');
    const ms =
      at === undefined ? durationMs(neededText(values, 'in'), '--in') : timeOf(at, '--at') - admin.nowMs();
    if (ms < MIN_DRAIN_MS || ms > MAX_DRAIN_MS)
      throw new UsageError('It must be from one minute to 7 days ahead.');
    if (isLockedAt(lobby, admin.nowMs())) throw new Refusal(`"${lobby.name}" is locked already.`);
    const drainsAtMs = at === undefined ? admin.nowMs() + ms : timeOf(at, '--at');
    const closes = `"${lobby.name}" closes at ${new Date(drainsAtMs).toISOString()}, and stays closed`;
    return rowChange(lobby, { drainsAtMs }, [closes]);
  },
});

const setWindows = defineChange({
  name: 'lobby windows',
  about: 'Sets the opening hours.',
  positionals: ['lobby'],
  options: {
    window: {
      type: 'string',
      multiple: true,
      value: 'HOURS',
      about: '18:00-02:00 every day, or 2026-12-01T18:00/2026-12-01T22:00 once; in UTC.',
    },
    always: { type: 'boolean', about: 'Always open.' },
  },
  prepare: async ({ admin, positionals: [name], values }) => {
    const lobby = await requireLobby(admin.db, name!);
    const windows = textList(values, 'window').map(windowOf);
    const isAlways = isSet(values, 'always');
    if (isAlways === windows.length > 0) throw new UsageError('Give --window once or more, or --always.');
    const line = showDifference('opening hours', windowsText(lobby.dailyOpenWindows), windowsText(windows));
    const isClosedNow = lobby.lobbyType === 'semi-private' && lobby.dailyOpenWindows === null;
    return rowChange(lobby, { dailyOpenWindows: windows }, [
      line ?? (isClosedNow ? 'opens always' : undefined),
    ]);
  },
});

const setCode = defineChange({
  name: 'lobby code',
  about: 'Sets the code of a semi-private lobby.',
  positionals: ['lobby', 'code'],
  options: {},
  prepare: async ({ admin, positionals: [name, text] }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (lobby.lobbyType !== 'semi-private') throw new Refusal(`"${lobby.name}" is not semi-private.`);
    const lobbyCode = lobbyCodeOf(text!);
    return rowChange(lobby, { lobbyCode }, [showDifference('code', lobby.lobbyCode, lobbyCode)]);
  },
});

const setGatherSize = defineChange({
  name: 'lobby gather',
  about: 'Sets how many players have to gather in a paid lobby before they are called to pay.',
  positionals: ['lobby', 'number'],
  options: {},
  prepare: async ({ admin, positionals: [name, text] }) => {
    const lobby = await requireLobby(admin.db, name!);
    if (!isPaid(lobby)) throw new Refusal(`"${lobby.name}" is free: nobody has to gather for it.`);
    const gatherSize = gatherSizeOf(text!, lobby.maxPlayers);
    const line = showDifference('players to gather', String(lobby.gatherSize), String(gatherSize));
    return rowChange(lobby, { gatherSize }, [line]);
  },
});

const setRegion = defineChange({
  name: 'lobby region',
  about: 'Sets the region whose game processes run a lobby.',
  notes: [
    'A match that runs elsewhere ends five minutes later, announced; the next one is played in the region.',
  ],
  positionals: ['lobby'],
  options: {
    to: { type: 'string', value: 'REGION', about: 'As in REGION of the game processes.' },
    anywhere: { type: 'boolean', about: 'Any process may run it.' },
  },
  prepare: async ({ admin, positionals: [name], values }) => {
    const lobby = await requireLobby(admin.db, name!);
    const region = regionOf(optionalText(values, 'to'));
    if (isSet(values, 'anywhere') === (region !== null)) throw new UsageError('Give --to or --anywhere.');
    const line = showDifference('region', lobby.region ?? 'anywhere', region ?? 'anywhere');
    return rowChange(lobby, { region }, [line, line && (await unknownRegion(admin.db, region))]);
  },
});

export const LOBBY_COMMANDS: readonly Command[] = [
  listLobbies,
  createLobby,
  changePrice,
  orderClaims,
  ...PAYOUT_KEY_COMMANDS,
  lockLobby,
  unlockLobby,
  setWindows,
  setCode,
  setGatherSize,
  setRegion,
  drainLobby,
  removeLobby,
];
