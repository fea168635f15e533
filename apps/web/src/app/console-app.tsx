import type { PublicConfig } from '@engulf/protocol/http/config';
import { readConsole } from '@engulf/protocol/http/console';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ConsolePage } from '../features/console/console-page.tsx';
import { Notice } from '../features/console/notice.tsx';
import { CONSOLE_TEXT } from '../features/console/text.ts';
import { signText } from '../features/wallet/sign-text.ts';
import { disconnectWallet, useWalletRestore } from '../features/wallet/wallet-connection.ts';
import { WalletDialog } from '../features/wallet/wallet-dialog.tsx';
import { callApi } from '../shared/api/call-api.ts';
import { useConfig, useUser, useUserCache } from '../shared/api/queries.ts';
import { applyAppearance } from '../shared/appearance.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';
import { Toaster } from '../ui/toast.tsx';

/** A page of its own: the wallet, and what operators need. No socket, no arena. */
export function ConsoleApp() {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  useEffect(() => applyAppearance(document.documentElement), []);
  return (
    <QueryClientProvider client={queryClient}>
      <WithConfig />
      <Toaster place="menu" />
    </QueryClientProvider>
  );
}

function WithConfig() {
  const { data: config, isError, refetch } = useConfig();
  if (config) return <Entrance config={config} />;
  return isError ? (
    <Notice text={CONSOLE_TEXT.failed} button={CONSOLE_TEXT.tryAgain} onPress={refetch} />
  ) : null;
}

function Entrance({ config }: { config: PublicConfig }) {
  const user = useUser();
  const cache = useUserCache();
  const [isChoosing, setChoosing] = useState(false);
  useWalletRestore(config, user);
  const staff = useQuery({
    queryKey: ['console', user?.walletAddress],
    enabled: user !== undefined && user !== null,
    queryFn: () => callApi(readConsole, {}),
  });
  const leave = async () => {
    await disconnectWallet();
    cache.set(null);
  };
  if (user === undefined) return null;
  if (user === null)
    return (
      <>
        <Notice
          text={CONSOLE_TEXT.signInLead}
          button={CONSOLE_TEXT.connect}
          onPress={() => setChoosing(true)}
        />
        <WalletDialog
          config={config}
          isOpen={isChoosing}
          onClose={() => setChoosing(false)}
          onSignedIn={(signedIn) => {
            setChoosing(false);
            cache.set(signedIn);
          }}
        />
      </>
    );
  if (!staff.data) return null;
  if (staff.data.ok)
    return (
      <ConsolePage
        staff={staff.data.value}
        sign={(text) => signAs(user.walletAddress, text)}
        onSignOut={() => void leave()}
      />
    );
  const { httpStatus } = staff.data.error;
  if (httpStatus === 404) return <Notice text={CONSOLE_TEXT.off} />;
  if (httpStatus === 403)
    return <Notice text={CONSOLE_TEXT.noRole} button={CONSOLE_TEXT.signOut} onPress={leave} />;
  return <Notice text={CONSOLE_TEXT.failed} button={CONSOLE_TEXT.tryAgain} onPress={staff.refetch} />;
}

async function signAs(wallet: string, text: string): Promise<string> {
  const { connected } = useWalletStore.getState();
  if (!connected) throw new Error(CONSOLE_TEXT.change.noWallet);
  if (connected.account.address !== wallet) throw new Error(CONSOLE_TEXT.change.otherAccount);
  return signText(connected, text);
}
