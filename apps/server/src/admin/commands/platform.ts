import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import {
  initializeInstruction,
  MAX_PLATFORM_FEE_BASIS_POINTS,
  setFeeInstruction,
  setTreasuryInstruction,
} from '@engulf/chain/admin/platform-admin';
import { formatExactAmount, SOL } from '@engulf/domain/money/amount';
import { type Address, address, type KeyPairSigner } from '@solana/kit';
import { openKey } from '../../platform/super-admin-key.ts';
import { type ChainChange, changeOnChain, PLATFORM, rehearse, requireSuperAdmin } from '../chain-change.ts';
import {
  type AdminContext,
  type Change,
  type Command,
  defineChange,
  defineRead,
  Refusal,
} from '../command.ts';
import { keyFromFile, neededText, optionalText, walletOf, wholeNumber } from '../read-values.ts';
import { showDifference, showFields } from '../show.ts';
import { findProposal } from './super-admin.ts';

const FEE_RANGE = { min: 0, max: MAX_PLATFORM_FEE_BASIS_POINTS };

const initChain = defineChange({
  name: 'chain init',
  about: 'Sets the program up on a new chain: super admin, treasury and fee. Once, before everything else.',
  notes: [
    'Needs SUPER_ADMIN_KEYPAIR, and the key of the upgrade authority in a file, if it is another one. The treasury must',
    'be a wallet that holds its rent.',
  ],
  positionals: [],
  options: {
    treasury: { type: 'string', value: 'ADDRESS', about: 'The wallet that receives the platform fee.' },
    fee: { type: 'string', value: 'BPS', about: 'The platform fee in basis points: 500 are 5 %.' },
    'upgrade-authority-file': {
      type: 'string',
      value: 'FILE',
      about: 'Its key, as solana-keygen writes it.',
    },
  },
  prepare: async ({ admin, io, values }) => {
    const treasury = address(walletOf(neededText(values, 'treasury'), '--treasury'));
    const feeBasisPoints = wholeNumber(neededText(values, 'fee'), '--fee', FEE_RANGE);
    const { programId, superAdminKey } = await admin.openChain();
    const config = await readConfigNow(admin);
    if (config) {
      const isSame =
        config.platformTreasury === treasury &&
        config.platformFeeBasisPoints === feeBasisPoints &&
        config.superAdmin === superAdminKey?.address;
      if (isSame) return { lines: [], apply: async () => undefined };
      throw new Refusal(
        `The program ${programId} is set up already: super admin ${config.superAdmin}, treasury ${config.platformTreasury}, fee ${config.platformFeeBasisPoints}.`,
      );
    }
    if (!superAdminKey) throw new Refusal('This needs SUPER_ADMIN_KEYPAIR in the environment.');
    const superAdmin = openKey(superAdminKey);
    const file = optionalText(values, 'upgrade-authority-file');
    const upgradeAuthority: KeyPairSigner =
      file === undefined ? superAdmin : await keyFromFile(file, io, '--upgrade-authority-file');
    const lines = [
      `program ${programId}`,
      `super admin ${superAdmin.address}`,
      `treasury ${treasury}`,
      `platform fee ${feeBasisPoints} basis points`,
    ];
    return inOneStep(admin, lines, {
      isDone: async () => (await readConfigNow(admin)) !== undefined,
      build: async () => {
        const request = { programId, superAdmin, upgradeAuthority, treasury, feeBasisPoints };
        return { payer: upgradeAuthority, instruction: await initializeInstruction(request) };
      },
    });
  },
});

const showChain = defineRead({
  name: 'chain show',
  about: 'Shows what the program is set to, and whether the key of this process is the one it obeys.',
  positionals: [],
  options: {},
  read: async ({ admin }) => {
    const { mode, programId, superAdminKey } = await admin.openChain();
    const config = await readConfigNow(admin);
    const proposal = await findProposal(admin.db);
    return showFields({
      chain: mode,
      program: programId,
      ...(config
        ? {
            superAdmin: config.superAdmin,
            superAdminSol: await solOf(admin, config.superAdmin),
            treasury: config.platformTreasury,
            treasurySol: await solOf(admin, config.platformTreasury),
            feeBasisPoints: config.platformFeeBasisPoints,
          }
        : { superAdmin: 'not set up: run chain init' }),
      keyHere: superAdminKey ? keyState(superAdminKey.address, config?.superAdmin) : 'none',
      proposedSuperAdmin: proposal?.newSuperAdmin,
      proposalExpires: proposal?.expiresAt,
    });
  },
});

function keyState(here: Address, obeyed: Address | undefined): string {
  return here === obeyed ? 'the super admin' : `${here}, not the super admin`;
}

const setFee = defineChange({
  name: 'fee set',
  about: 'Sets the platform fee of the entries that follow, for all lobbies.',
  notes: [`In basis points: 500 are 5 %. The program allows ${MAX_PLATFORM_FEE_BASIS_POINTS}.`],
  positionals: ['basis-points'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const feeBasisPoints = wholeNumber(text!, '<basis-points>', FEE_RANGE);
    const superAdmin = await requireSuperAdmin(admin);
    const { programId } = await admin.openChain();
    const now = async () => (await readConfigNow(admin))!.platformFeeBasisPoints;
    const line = showDifference('platform fee in basis points', await now(), feeBasisPoints);
    return inOneStep(admin, line ? [line] : [], {
      isDone: async () => (await now()) === feeBasisPoints,
      build: async () => {
        const request = { programId, superAdmin, feeBasisPoints };
        return { payer: superAdmin, instruction: await setFeeInstruction(request) };
      },
    });
  },
});

const setTreasury = defineChange({
  name: 'treasury set',
  about: 'Sets the wallet that receives the platform fee of the entries that follow.',
  positionals: ['address'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const treasury = address(walletOf(text!, '<address>'));
    const superAdmin = await requireSuperAdmin(admin);
    const { programId } = await admin.openChain();
    const now = async () => (await readConfigNow(admin))!.platformTreasury;
    const line = showDifference('treasury', await now(), treasury);
    const change = await inOneStep(admin, line ? [line] : [], {
      isDone: async () => (await now()) === treasury,
      build: async () => {
        const request = { programId, superAdmin, treasury };
        return { payer: superAdmin, instruction: await setTreasuryInstruction(request) };
      },
    });
    return { ...change, confirmation: treasury };
  },
});

/** A change that is nothing but one transaction. */
async function inOneStep(
  admin: AdminContext,
  lines: readonly string[],
  step: Omit<ChainChange, 'subject'>,
): Promise<Change> {
  await rehearse(admin, step);
  return { lines, apply: (applying) => changeOnChain(applying, { subject: PLATFORM, ...step }) };
}

async function readConfigNow(admin: AdminContext) {
  const { rpc, programId } = await admin.openChain();
  return readGlobalConfig(rpc, programId, 'finalized');
}

async function solOf(admin: AdminContext, wallet: Address): Promise<string> {
  const { rpc } = await admin.openChain();
  const { value } = await rpc.getBalance(wallet, { commitment: 'confirmed' }).send();
  return formatExactAmount(value, SOL);
}

export const PLATFORM_COMMANDS: readonly Command[] = [initChain, showChain, setFee, setTreasury];
