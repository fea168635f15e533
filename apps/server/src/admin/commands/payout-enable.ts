import { readLobby } from '@engulf/chain/accounts/read-configs';
import { fillWalletLack, findWalletLack } from '@engulf/chain/payouts/wallet-lack';
import { formatExactAmount } from '@engulf/domain/money/amount';
import { address } from '@solana/kit';
import { findLobby, isPaid, tokenOf } from '../../lobbies/lobby-rows.ts';
import { retryPayouts } from '../../money/payouts/payout-states.ts';
import type { PayoutRow } from '../../platform/database/money.ts';
import { type ChainChange, changeOnChain, rehearse, requireSuperAdmin } from '../chain-change.ts';
import { type AdminContext, defineChange, Refusal } from '../command.ts';
import { requirePayouts } from '../find-rows.ts';

export const enablePayout = defineChange({
  name: 'payouts enable',
  about: 'Gives the wallet of a payout what it lacks to be paid: the rent of a wallet, or its token account.',
  notes: [
    'The super admin pays for it, up to 0.003 SOL, and the player keeps it. For payouts that would otherwise keep a lobby from',
    'being removed. If it is interrupted, run it again.',
  ],
  positionals: ['payout'],
  options: {},
  prepare: async ({ admin, positionals: [id] }) => {
    const [payout] = await requirePayouts(admin.db, [id!]);
    const lobby = await findLobby(admin.db, payout!.lobbyId);
    if (!lobby || !isPaid(lobby) || payout!.status !== 'pending')
      throw new Refusal(`The payout ${id} is ${payout!.status}.`);
    const lack = await lackOf(admin, payout!, lobby.chainLobbyId);
    if (lack.kind === 'nothing') return { lines: [], apply: async () => undefined };
    if (lack.kind === 'consent') {
      throw new Refusal(
        `${payout!.wallet} refuses payments: it belongs to a program, or its token account is frozen, given away or asks for memos. Only its owner can change that; the payout stays owed.`,
      );
    }
    const change = filling(admin, payout!, lobby.chainLobbyId);
    await rehearse(admin, change);
    const token = tokenOf(lobby);
    const what =
      lack.kind === 'lamports' ? `${lack.lamports} lamports` : `a token account for ${token.symbol}`;
    const amount = `${formatExactAmount(payout!.amount, token)} ${token.symbol}`;
    return {
      lines: [`the super admin gives ${what} to ${payout!.wallet}, so that it can receive ${amount}`],
      apply: async (applying) => {
        await changeOnChain(applying, { ...change, subject: lobby.id });
        await admin.db.transaction(async (tx) => {
          await retryPayouts(tx, [payout!.id]);
          await applying.note(tx, payout!.id, { step: 'done', wallet: payout!.wallet, given: what });
        });
        applying.report('the worker pays it now');
      },
    };
  },
});

function filling(admin: AdminContext, payout: PayoutRow, lobbyId: bigint): Omit<ChainChange, 'subject'> {
  return {
    isDone: async () => (await lackOf(admin, payout, lobbyId)).kind === 'nothing',
    build: async () => {
      const superAdmin = await requireSuperAdmin(admin);
      const lack = await lackOf(admin, payout, lobbyId);
      if (lack.kind === 'nothing' || lack.kind === 'consent')
        throw new Refusal('The wallet was changed in this moment.');
      const reward = { player: address(payout.wallet), amount: payout.amount };
      const instruction = fillWalletLack(superAdmin, await onChain(admin, lobbyId), reward, lack);
      return { payer: superAdmin, instruction };
    },
  };
}

async function lackOf(admin: AdminContext, { wallet, amount }: PayoutRow, lobbyId: bigint) {
  const { rpc } = await admin.openChain();
  return findWalletLack(rpc, await onChain(admin, lobbyId), { player: address(wallet), amount });
}

async function onChain(admin: AdminContext, lobbyId: bigint) {
  const { rpc, programId } = await admin.openChain();
  const lobby = await readLobby(rpc, programId, lobbyId);
  if (!lobby) throw new Refusal('The lobby is not on the chain.');
  return lobby;
}
