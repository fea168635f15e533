import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { AccessCodePopup, AccessGrantedPopup } from '../features/access/access-popups.tsx';
import { ACTIONS } from '../features/arena/input/actions.ts';
import { EntryPopup } from '../features/entry/entry-popup.tsx';
import { LimitsPopup } from '../features/limits/limits-popup.tsx';
import { WalletDialog } from '../features/wallet/wallet-dialog.tsx';
import { useUserCache } from '../shared/api/queries.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';

/** The one popup of the menu that is open. */
export type Dialog =
  | { readonly kind: 'wallet' }
  | { readonly kind: 'accessCode' }
  | { readonly kind: 'accessGranted' }
  | { readonly kind: 'limits' }
  | { readonly kind: 'entry'; readonly lobbyId: string };

const ENTRY_KEY_HINTS = [ACTIONS.eject, ACTIONS.split];

type MenuDialogsProps = {
  dialog: Dialog | undefined;
  config: PublicConfig;
  user: User | null;
  onDialog: (dialog: Dialog | undefined) => void;
  onEntered: (lobby: Lobby, joinTicket: string) => void;
  onConflict: (conflict: SessionConflict) => void;
};

export function MenuDialogs({ dialog, config, user, onDialog, onEntered, onConflict }: MenuDialogsProps) {
  const cache = useUserCache();
  const close = () => onDialog(undefined);
  const entryLobby = useLobbyStore((state) =>
    dialog?.kind === 'entry' ? state.lobbies?.find((lobby) => lobby.id === dialog.lobbyId) : undefined,
  );
  return (
    <>
      <WalletDialog
        config={config}
        isOpen={dialog?.kind === 'wallet'}
        onClose={close}
        onSignedIn={(signedIn) => {
          cache.dropPrivate();
          cache.set(signedIn);
        }}
      />
      {dialog?.kind === 'accessCode' && (
        <AccessCodePopup
          onClose={close}
          onGranted={() => {
            cache.patch({ referralCodeVerified: true });
            void cache.refresh();
            onDialog({ kind: 'accessGranted' });
          }}
        />
      )}
      {dialog?.kind === 'accessGranted' && <AccessGrantedPopup onClose={close} />}
      {dialog?.kind === 'limits' && user && <LimitsPopup onClose={close} />}
      {entryLobby && user && (
        <EntryPopup
          key={entryLobby.id}
          lobby={entryLobby}
          user={user}
          config={config}
          onClose={close}
          keyHints={ENTRY_KEY_HINTS}
          onLimits={() => onDialog({ kind: 'limits' })}
          onPlay={(joinTicket) => onEntered(entryLobby, joinTicket)}
          onConflict={(conflict) => {
            close();
            onConflict(conflict);
          }}
        />
      )}
    </>
  );
}
