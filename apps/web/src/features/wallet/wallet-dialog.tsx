import type { PublicConfig } from '@engulf/protocol/http/config';
import type { User } from '@engulf/protocol/user';
import type { Wallet } from '@wallet-standard/base';
import { RefreshCw, ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { settings } from '../../shared/settings.ts';
import { solanaChain, useWalletStore } from '../../shared/stores/wallet-store.ts';
import { TEXT } from '../../shared/text.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { Chip, Dot } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/panel.tsx';
import { Popup, PopupLead } from '../../ui/popup.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type SignInProgress, signInWithWallet } from './sign-in.ts';
import styles from './wallet-dialog.module.css';
import { useWallets } from './wallet-list.ts';

type WalletDialogProps = {
  config: PublicConfig;
  isOpen: boolean;
  onClose: () => void;
  onSignedIn: (user: User) => void;
};

export function WalletDialog({ config, isOpen, onClose, onSignedIn }: WalletDialogProps) {
  const wallets = useWallets(solanaChain(config));
  const [busy, setBusy] = useState<{ wallet: Wallet; progress: SignInProgress }>();

  const latestAttempt = useRef(0);

  const choose = async (wallet: Wallet) => {
    const attempt = ++latestAttempt.current;
    const isCurrent = () => attempt === latestAttempt.current;
    const result = await signInWithWallet(wallet, (progress) => {
      if (isCurrent()) setBusy({ wallet, progress });
    });
    if (isCurrent()) setBusy(undefined);
    if (!result.ok) {
      if (isCurrent()) showToast('danger', result.error);
      return;
    }
    settings.write('walletName', wallet.name);
    useWalletStore.getState().setConnected(result.value.connected);
    onSignedIn(result.value.user);
  };

  /** While a wallet does not answer, the dialog can be closed and another one chosen. */
  const close = () => {
    latestAttempt.current++;
    setBusy(undefined);
    onClose();
  };

  return (
    <Popup title={TEXT.wallet.title} isOpen={isOpen} onClose={close} size="sm">
      <PopupLead>{TEXT.wallet.lead}</PopupLead>
      {wallets.length === 0 ? (
        <EmptyState text={TEXT.wallet.none}>
          <Button icon={<RefreshCw />} onClick={() => window.location.reload()}>
            {TEXT.wallet.reload}
          </Button>
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {wallets.map((wallet) => (
            <li key={wallet.name}>
              <button
                type="button"
                className={styles.wallet}
                disabled={busy !== undefined}
                onClick={() => void choose(wallet)}
              >
                <img className={styles.icon} src={wallet.icon} alt="" />
                <span className={styles.name}>{wallet.name}</span>
                {busy?.wallet === wallet ? (
                  <span className={styles.progress}>
                    {TEXT.wallet[busy.progress]}
                    <Spinner />
                  </span>
                ) : (
                  <WalletChip wallet={wallet} />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.promise}>
        <ShieldCheck size={18} strokeWidth={2.25} />
        {TEXT.wallet.promise}
      </p>
    </Popup>
  );
}

function WalletChip({ wallet }: { wallet: Wallet }) {
  if (wallet.chains.every((chain) => chain === 'solana:localnet')) {
    return <Chip tone="portal">{TEXT.wallet.testOnly}</Chip>;
  }
  return (
    <Chip tone="profit" icon={<Dot />}>
      {TEXT.wallet.detected}
    </Chip>
  );
}
