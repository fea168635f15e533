import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { markGuided, type User } from '@engulf/protocol/user';
import { lazy, Suspense, useEffect, useState } from 'react';
import { AccessCodePopup, AccessGrantedPopup } from '../features/access/access-popups.tsx';
import { ACTIONS, keyNameOf } from '../features/arena/input/actions.ts';
import { EntryPopup } from '../features/entry/entry-popup.tsx';
import { gather } from '../features/gathering/gather.ts';
import { GuidePopup } from '../features/guide/guide-popup.tsx';
import { LimitsPopup } from '../features/limits/limits-popup.tsx';
import { LobbyListPopup } from '../features/lobbies/lobby-list-popup.tsx';
import { WalletDialog } from '../features/wallet/wallet-dialog.tsx';
import { callApi } from '../shared/api/call-api.ts';
import { useUserCache } from '../shared/api/queries.ts';
import type { OpenPayment } from '../shared/entry-record.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { TEXT } from '../shared/text.ts';
import { preloadArena } from './arena-mount.tsx';

/** Loaded on demand: the menu does not need the code that checks matches. */
const VerifyDialog = lazy(async () => {
  const { VerifyDialog } = await import('../features/fairness/verify-dialog.tsx');
  return { default: VerifyDialog };
});

const SettingsDialog = lazy(async () => {
  const { SettingsDialog } = await import('../features/arena/settings/settings-dialog.tsx');
  return { default: SettingsDialog };
});

/** The one popup of the menu that is open. */
export type Dialog =
  | { readonly kind: 'wallet' }
  /** On the way if pressing Play led here. */
  | { readonly kind: 'accessCode'; readonly isOnTheWay?: boolean }
  | { readonly kind: 'accessGranted' }
  | { readonly kind: 'limits' }
  | { readonly kind: 'lobbyList' }
  | { readonly kind: 'guide' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'verify'; readonly matchId: string }
  | { readonly kind: 'entry'; readonly lobbyId: string; readonly openPayment?: OpenPayment };

/** Whose cell a visitor's settings show. */
const NOBODY = { name: TEXT.productName, avatarUrl: null };

const ENTRY_KEY_HINTS = [ACTIONS.eject, ACTIONS.split];

type MenuDialogsProps = {
  dialog: Dialog | undefined;
  config: PublicConfig;
  user: User | null;
  selected: Lobby | undefined;
  /** The code that the player was invited with. */
  codeFor: (lobbyId: string) => string | undefined;
  onSignOutEverywhere: () => void;
  onDialog: (dialog: Dialog | undefined) => void;
  /** The player closed a popup on the way to a game. */
  onCancel: () => void;
  onGranted: () => void;
  onSelect: (lobby: Lobby) => void;
  onPlay: (lobby: Lobby | undefined) => void;
  onEntered: (lobby: Lobby, joinTicket: string) => void;
  onConflict: (conflict: SessionConflict) => void;
};

export function MenuDialogs(props: MenuDialogsProps) {
  const { dialog, config, user, selected, onDialog, onCancel, onGranted } = props;
  const cache = useUserCache();
  const close = () => onDialog(undefined);
  const entry = useLobby(dialog?.kind === 'entry' ? dialog.lobbyId : undefined);
  const entryLobby = entry?.lobby;
  const openPayment = dialog?.kind === 'entry' ? dialog.openPayment : undefined;
  const isEntering = entryLobby !== undefined;
  useEffect(() => {
    if (isEntering) preloadArena();
  }, [isEntering]);
  const closeGuide = () => {
    close();
    if (!user?.showGuide) return;
    // Updated at once: entering a game does not wait for the server to store it.
    cache.patch({ showGuide: false });
    void callApi(markGuided, {});
  };
  return (
    <>
      <WalletDialog
        config={config}
        isOpen={dialog?.kind === 'wallet'}
        onClose={onCancel}
        onSignedIn={(signedIn) => {
          close();
          cache.dropPrivate();
          cache.set(signedIn);
        }}
      />
      {dialog?.kind === 'accessCode' && (
        <AccessCodePopup isOnTheWay={dialog.isOnTheWay} onClose={onCancel} onGranted={onGranted} />
      )}
      {dialog?.kind === 'accessGranted' && <AccessGrantedPopup by="code" onClose={close} />}
      {dialog?.kind === 'guide' && (
        <GuidePopup keys={{ split: keyNameOf('split'), eject: keyNameOf('eject') }} onClose={closeGuide} />
      )}
      {dialog?.kind === 'settings' && (
        <Suspense>
          <SettingsDialog own={user ?? NOBODY} isOpen onClose={close} />
        </Suspense>
      )}
      {dialog?.kind === 'lobbyList' && (
        <LobbyListPopup
          playerName={user?.name}
          selected={selected}
          isConnected={user !== null}
          prices={config.prices.usdMicro}
          onSelect={props.onSelect}
          onPlay={props.onPlay}
          onClose={close}
        />
      )}
      {dialog?.kind === 'verify' && (
        <Suspense>
          <VerifyDialog matchId={dialog.matchId} userId={user?.id} onClose={close} />
        </Suspense>
      )}
      {dialog?.kind === 'limits' && user && (
        <LimitsPopup
          onClose={close}
          onSignOutEverywhere={() => {
            close();
            props.onSignOutEverywhere();
          }}
        />
      )}
      {entry && entryLobby && user && (
        <EntryPopup
          key={`${entryLobby.id} ${openPayment?.sessionId}`}
          openPayment={openPayment}
          lobby={entryLobby}
          isRemoved={entry.isRemoved}
          invitedWith={props.codeFor(entryLobby.id)}
          user={user}
          config={config}
          onClose={onCancel}
          keyHints={ENTRY_KEY_HINTS}
          onLimits={() => onDialog({ kind: 'limits' })}
          onGather={(lobbyCode) => gather(entryLobby, lobbyCode)}
          onPlay={(joinTicket) => props.onEntered(entryLobby, joinTicket)}
          onConflict={(conflict) => {
            close();
            props.onConflict(conflict);
          }}
        />
      )}
    </>
  );
}

/** A lobby as it is now or, if an operator has removed it, as it was: somebody may be paying for a seat in it. */
function useLobby(id: string | undefined): { lobby: Lobby; isRemoved: boolean } | undefined {
  const listed = useLobbyStore((state) => state.lobbies?.find((lobby) => lobby.id === id));
  const [last, setLast] = useState<Lobby>();
  if (listed && listed !== last) setLast(listed);
  if (listed) return { lobby: listed, isRemoved: false };
  return id !== undefined && last?.id === id ? { lobby: last, isRemoved: true } : undefined;
}
