import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import { setSuperAdminInstruction } from '@engulf/chain/admin/platform-admin';
import { address } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { payoutBatches } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { superAdminProposals } from '../../platform/database/operations.ts';
import { readSwitches } from '../../platform/switches.ts';
import { changeOnChain, finishOpen, PLATFORM, rehearse, requireSuperAdmin } from '../chain-change.ts';
import {
  type AdminContext,
  type Applying,
  type Command,
  defineChange,
  Refusal,
  UsageError,
  withChain,
} from '../command.ts';
import { durationMs, keyFromFile, neededText, optionalText, walletOf } from '../read-values.ts';

/*
 * The key of the super admin can drain every pool, so it changes hands in two steps: one operator names the new key,
 * and the holder of that key accepts within a day or so.
 */

export async function findProposal(db: Database) {
  const [proposal] = await db.select().from(superAdminProposals);
  return proposal;
}

const MAX_PROPOSAL_MS = 7 * 24 * 3_600_000;

const propose = defineChange({
  name: 'super-admin propose',
  about: 'Names the key that is to become super admin. Nothing changes on the chain until it accepts.',
  positionals: ['address'],
  options: {
    within: { type: 'string', value: 'TIME', about: 'How long it may be accepted; 24h if not given.' },
  },
  prepare: async ({ admin, io, positionals: [text], values }) => {
    const wallet = walletOf(text!, '<address>');
    const newSuperAdmin = address(wallet);
    const ms = durationMs(optionalText(values, 'within') ?? '24h', '--within');
    if (ms > MAX_PROPOSAL_MS) throw new UsageError('--within must be at most 7d.');
    await refuseEmbedded(admin);
    const superAdmin = await requireSuperAdmin(admin);
    if (superAdmin.address === newSuperAdmin)
      throw new Refusal(`${newSuperAdmin} is the super admin already.`);
    const before = await findProposal(admin.db);
    const expiresAt = new Date(admin.nowMs() + ms);
    return {
      lines: [
        `${newSuperAdmin} may become super admin until ${expiresAt.toISOString()}`,
        ...(before ? [`the proposal of ${before.newSuperAdmin} is withdrawn`] : []),
      ],
      apply: async ({ note, report }) => {
        await admin.db.transaction(async (tx) => {
          await tx.delete(superAdminProposals);
          const proposedAt = new Date(admin.nowMs());
          await tx.insert(superAdminProposals).values({
            newSuperAdmin: wallet,
            proposedBy: optionalText(values, 'as') ?? io.actor,
            proposedAt,
            expiresAt,
          });
          await note(tx, PLATFORM, {
            before: before?.newSuperAdmin ?? null,
            after: newSuperAdmin,
            expiresAt,
          });
        });
        report('proposed. Now:');
        report('1. pause payouts: npm run engulf -- switch set payouts-paused on --reason "…"');
        report(`2. the holder of ${newSuperAdmin} runs, with the old key still in SUPER_ADMIN_KEYPAIR:`);
        report('   npm run engulf -- super-admin accept --new-key-file FILE --reason "…"');
      },
    };
  },
});

const accept = defineChange({
  name: 'super-admin accept',
  about: 'Hands the role over to the proposed key. Both keys sign the transaction.',
  notes: [
    'Needs the new key in a file and the old one in SUPER_ADMIN_KEYPAIR, payouts paused, and no claim in flight. If it is',
    'interrupted, run it again: it finds out whether the chain has changed.',
  ],
  positionals: [],
  options: {
    'new-key-file': { type: 'string', value: 'FILE', about: 'The new key, as solana-keygen writes it.' },
  },
  prepare: async ({ admin, io, values }) => {
    const newKey = await keyFromFile(neededText(values, 'new-key-file'), io, '--new-key-file');
    await refuseEmbedded(admin);
    const isDone = async () => (await readSuperAdmin(admin)) === newKey.address;
    const proposal = await findProposal(admin.db);
    if (!proposal && (await isDone())) return { lines: [], apply: async () => undefined };
    if (!proposal) throw new Refusal('No key is proposed. Run: npm run engulf -- super-admin propose --help');
    if (address(proposal.newSuperAdmin) !== newKey.address) {
      throw new Refusal(`The key in that file is ${newKey.address}; proposed is ${proposal.newSuperAdmin}.`);
    }
    const oldKey = (await isDone()) ? undefined : await requireSuperAdmin(admin);
    if (oldKey) await expectReady(admin, proposal.expiresAt);
    const { programId } = await admin.openChain();
    const build = async () => {
      const superAdmin = oldKey ?? (await requireSuperAdmin(admin));
      const request = { programId, superAdmin, newSuperAdmin: newKey };
      return { payer: superAdmin, instruction: await setSuperAdminInstruction(request) };
    };
    await rehearse(admin, { isDone, build });
    return {
      lines: [
        `super admin: ${oldKey?.address ?? 'handed over already'} → ${newKey.address}`,
        'the payout keys of all lobbies end with it, until the new super admin sets them',
      ],
      confirmation: newKey.address,
      apply: async (applying) => {
        await changeOnChain(applying, { subject: PLATFORM, isDone, build });
        await dropProposal(applying, {
          step: 'done',
          before: oldKey?.address ?? null,
          after: newKey.address,
        });
        applying.report(
          'Now put the new key into SUPER_ADMIN_KEYPAIR of the signer, or of the workers if they sign, restart it, and run:',
        );
        applying.report('npm run engulf -- lobby payout-key set … for each lobby that has a payout key');
        applying.report('npm run engulf -- switch clear payouts-paused --reason "…"');
      },
    };
  },
});

const cancel = defineChange({
  name: 'super-admin cancel',
  about: 'Withdraws the proposal.',
  positionals: [],
  options: {},
  prepare: async ({ admin }) => {
    const proposal = await findProposal(admin.db);
    return {
      lines: proposal ? [`${proposal.newSuperAdmin} can no longer become super admin`] : [],
      apply: async (applying) => {
        // An acceptance that was interrupted may still land.
        await finishOpen(applying, await withChain(admin), PLATFORM);
        const isTooLate = (await readSuperAdmin(admin)) === address(proposal!.newSuperAdmin);
        await dropProposal(applying, { before: proposal!.newSuperAdmin, isTooLate });
        if (isTooLate) throw new Refusal(`Too late: the chain obeys ${proposal!.newSuperAdmin} already.`);
      },
    };
  },
});

async function dropProposal({ admin, note }: Applying, details: Record<string, unknown>): Promise<void> {
  await admin.db.transaction(async (tx) => {
    await tx.delete(superAdminProposals);
    await note(tx, PLATFORM, details);
  });
}

async function readSuperAdmin(admin: AdminContext) {
  const { rpc, programId } = await admin.openChain();
  return (await readGlobalConfig(rpc, programId, 'finalized'))?.superAdmin;
}

/** A claim that the old key has signed fails once the role is handed over, and would have to be signed again. */
async function expectReady(admin: AdminContext, expiresAt: Date): Promise<void> {
  if (expiresAt.getTime() <= admin.nowMs()) {
    throw new Refusal('The proposal has expired. Propose the key again.');
  }
  if (!(await readSwitches(admin.db))['payouts-paused']) {
    throw new Refusal('Pause payouts first: npm run engulf -- switch set payouts-paused on --reason "…"');
  }
  const open = await admin.db.select().from(payoutBatches).where(eq(payoutBatches.status, 'open'));
  if (open.length > 0) {
    throw new Refusal(
      `${open.length} claims are in flight. Wait until they are decided: npm run engulf -- payouts list`,
    );
  }
}

async function refuseEmbedded(admin: AdminContext): Promise<void> {
  const { mode } = await admin.openChain();
  if (mode === 'embedded') {
    throw new Refusal('The key of an embedded chain is part of its data folder and cannot be handed over.');
  }
}

export const SUPER_ADMIN_COMMANDS: readonly Command[] = [propose, accept, cancel];
