import { type GrantedPayoutKey, type PayoutKeyTerms, readPayoutKey } from '@engulf/chain/accounts/payout-key';
import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import { setPayoutKeyInstruction } from '@engulf/chain/admin/lobby-admin';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { address } from '@solana/kit';
import { isPaid, listAllLobbies, type PaidLobby, tokenOf } from '../../lobbies/lobby-rows.ts';
import { type ChainChange, changeOnChain, rehearse, requireSuperAdmin } from '../chain-change.ts';
import {
  type AdminContext,
  type Applying,
  type Command,
  defineChange,
  defineRead,
  Refusal,
  UsageError,
} from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { amountOf, durationMs, neededText, walletOf } from '../read-values.ts';
import { showTable } from '../show.ts';

/*
 * A payout key may claim from its lobby within limits that the chain checks, so that the key of the super admin need not be
 * where payouts are signed.
 */

const SLOT_MS = 400;

const setKey = defineChange({
  name: 'lobby payout-key set',
  about: 'Lets a key pay out of a lobby, within limits that the chain checks, or changes its limits.',
  notes: [
    'Amounts are in whole tokens. What it has paid in its window still counts. It ends when the super admin changes.',
    'If it is interrupted, run it again.',
  ],
  positionals: ['lobby'],
  options: {
    key: { type: 'string', value: 'ADDRESS', about: 'The address of PAYOUT_KEYPAIR.' },
    'max-claim': { type: 'string', value: 'AMOUNT', about: 'What one claim, of up to ten payouts, may pay.' },
    'max-window': { type: 'string', value: 'AMOUNT', about: 'What all claims within a window may pay.' },
    window: { type: 'string', value: 'TIME', about: 'How long a window is: 1h.' },
  },
  prepare: async ({ admin, positionals: [name], values }) => {
    const lobby = await requirePaid(admin, name!);
    const token = tokenOf(lobby);
    const amount = (option: string) => amountOf(neededText(values, option), token, `--${option}`);
    const terms: PayoutKeyTerms = {
      key: address(walletOf(neededText(values, 'key'), '--key')),
      maxClaim: amount('max-claim'),
      maxWindow: amount('max-window'),
      windowSlots: BigInt(Math.floor(durationMs(neededText(values, 'window'), '--window') / SLOT_MS)),
    };
    if (terms.maxClaim > terms.maxWindow)
      throw new UsageError('--max-claim must not be larger than --max-window.');
    if (terms.windowSlots === 0n) throw new UsageError('--window must not be zero.');
    const config = await readConfig(admin);
    if (terms.key === config?.superAdmin)
      throw new Refusal('The super admin’s key has no limits. Choose another one as payout key.');
    if (!lobby.claimsInOrder) {
      throw new Refusal(
        `Claims of "${lobby.name}" are not in order. First: npm run engulf -- lobby order-claims "${lobby.name}"`,
      );
    }
    return change(admin, lobby, terms);
  },
});

const revokeKey = defineChange({
  name: 'lobby payout-key revoke',
  about: 'Takes the payout key of a lobby away. Claims that it has signed fail from then on.',
  notes: ['If it is interrupted, run it again.'],
  positionals: ['lobby'],
  options: {},
  prepare: async ({ admin, positionals: [name] }) =>
    change(admin, await requirePaid(admin, name!), undefined),
});

const showKeys = defineRead({
  name: 'lobby payout-key show',
  about: 'Lists the payout keys of all lobbies, with what they may pay.',
  positionals: [],
  options: {},
  read: async ({ admin }) => {
    const config = await readConfig(admin);
    const rows = [];
    for (const lobby of await listAllLobbies(admin.db)) {
      if (!isPaid(lobby) || lobby.stage === 'removed') continue;
      const granted = await readGranted(admin, lobby);
      const text = (units: bigint | undefined) =>
        units === undefined ? null : `${formatExactAmount(units, tokenOf(lobby))} ${lobby.tokenSymbol}`;
      rows.push({
        lobby: lobby.name,
        key: granted?.key ?? 'none',
        perClaim: text(granted?.maxClaim),
        perWindow: text(granted?.maxWindow),
        window: granted && windowText(granted),
        left: text(granted?.left),
        nextIn: granted && `${(granted.slotsLeft * BigInt(SLOT_MS)) / 60_000n} min`,
        state:
          granted && (granted.setBy === config?.superAdmin ? 'obeyed' : 'void: set by a former super admin'),
      });
    }
    return showTable(rows, 'There are no paid lobbies.');
  },
});

async function requirePaid(admin: AdminContext, name: string): Promise<PaidLobby> {
  const lobby = await requireLobby(admin.db, name);
  if (!isPaid(lobby)) throw new Refusal(`"${lobby.name}" is free.`);
  if (lobby.stage !== 'ready') throw new Refusal(`"${lobby.name}" is ${lobby.stage}.`);
  return lobby;
}

async function change(admin: AdminContext, lobby: PaidLobby, terms: PayoutKeyTerms | undefined) {
  const onChain = grant(admin, lobby, terms);
  if (await onChain.isDone()) return { lines: [], apply: async () => undefined };
  await rehearse(admin, onChain);
  const before = await readGranted(admin, lobby);
  return {
    lines: [`payout key of "${lobby.name}": ${describe(lobby, before)} → ${describe(lobby, terms)}`],
    apply: async (applying: Applying) => {
      await changeOnChain(applying, { ...onChain, subject: lobby.id });
      await admin.db.transaction((tx) =>
        applying.note(tx, lobby.id, { step: 'done', before: before ?? null, after: terms ?? null }),
      );
      applying.report(terms ? 'the key can claim' : 'the key is revoked');
    },
  };
}

function grant(
  admin: AdminContext,
  lobby: PaidLobby,
  terms: PayoutKeyTerms | undefined,
): Omit<ChainChange, 'subject'> {
  return {
    isDone: async () => {
      const found = await readGranted(admin, lobby);
      if (!terms || !found) return found === terms;
      const isSame = (Object.keys(terms) as (keyof PayoutKeyTerms)[]).every(
        (name) => found[name] === terms[name],
      );
      return isSame && found.setBy === (await readConfig(admin))?.superAdmin;
    },
    build: async () => {
      const superAdmin = await requireSuperAdmin(admin);
      const { programId } = await admin.openChain();
      const request = { programId, superAdmin, lobbyId: lobby.chainLobbyId, payoutKey: terms };
      return { payer: superAdmin, instruction: await setPayoutKeyInstruction(request) };
    },
  };
}

async function readGranted(admin: AdminContext, lobby: PaidLobby): Promise<GrantedPayoutKey | undefined> {
  const { rpc, programId } = await admin.openChain();
  return readPayoutKey(rpc, programId, lobby.chainLobbyId, 'finalized');
}

async function readConfig(admin: AdminContext) {
  const { rpc, programId } = await admin.openChain();
  return readGlobalConfig(rpc, programId, 'finalized');
}

function describe(lobby: PaidLobby, terms: PayoutKeyTerms | undefined): string {
  if (!terms) return 'none';
  const text = (units: bigint) => formatExactAmount(units, tokenOf(lobby));
  return `${terms.key}, ${text(terms.maxClaim)} per claim, ${text(terms.maxWindow)} ${lobby.tokenSymbol} per ${windowText(terms)}`;
}

const windowText = ({ windowSlots }: PayoutKeyTerms) =>
  `${(windowSlots * BigInt(SLOT_MS)) / 60_000n} min (${windowSlots} slots)`;

export const PAYOUT_KEY_COMMANDS: readonly Command[] = [setKey, revokeKey, showKeys];
