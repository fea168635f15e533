import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { Link2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { HeroCell } from '../../art/hero-cell.tsx';
import type { OpenPayment } from '../../shared/entry-record.ts';
import { lobbyFee } from '../../shared/lobby-money.ts';
import { useGatheringStore } from '../../shared/stores/gathering-store.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { useWays, wayTo } from '../../shared/ways.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyInvite } from '../../ui/copy-invite.ts';
import { PetriGauge } from '../../ui/petri-gauge.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { EntryDetails, EntrySteps, type KeyHintText } from './entry-details.tsx';
import styles from './entry-popup.module.css';
import { entryState } from './entry-state.ts';
import { type EntryOutcomes, useEntry } from './use-entry.ts';

type EntryPopupProps = EntryOutcomes & {
  lobby: Lobby;
  /** An operator has removed it since the popup was opened. */
  isRemoved?: boolean;
  /** The code of a semi-private lobby, from a link. */
  invitedWith?: string | undefined;
  user: User;
  config: PublicConfig;
  /** A payment to continue at once. */
  openPayment?: OpenPayment | undefined;
  keyHints: readonly KeyHintText[];
  onLimits: () => void;
  /** Waits for others first; resolves to whether the player waits now. */
  onGather: (lobbyCode: string) => Promise<boolean>;
};

export function EntryPopup(props: EntryPopupProps) {
  const {
    lobby,
    isRemoved = false,
    invitedWith = '',
    user,
    config,
    openPayment,
    keyHints,
    onLimits,
    onGather,
    ...outcomes
  } = props;
  const [lobbyCode, setLobbyCode] = useState(invitedWith);
  const entry = useEntry(lobby, user, config, outcomes);
  const { progress, isCodeWrong, ownLimit, start, cancel, clearCodeError, close } = entry;
  const [isGathering, setGathering] = useState(false);
  const isResumed = useRef(false);
  useEffect(() => {
    if (!openPayment || isResumed.current) return;
    isResumed.current = true;
    void start(undefined, openPayment);
  });
  const ways = useWays();
  const nowMs = useNow(1_000);
  const pulse = useLobbyStore((state) => state.pulses[lobby.id]);
  const players = pulse?.totalPlayers ?? lobby.currentPlayers;
  const bots = pulse?.totalBots ?? lobby.currentBots;
  const state = entryState(lobby, { players, lobbyCode, progress, isRemoved, nowMs });
  const [shownFee] = useState(lobby.entryFee);
  const hasNewPrice = lobby.entryFee !== shownFee && !progress;
  const fee = lobbyFee(lobby, config.prices.usdMicro);
  const needsCode = lobby.lobbyType === 'semi-private';
  const own = useGatheringStore((store) => store.own);
  const isCalled = own?.state === 'called' && own.lobbyId === lobby.id && own.endsAtMs > nowMs;
  const canGather =
    fee !== undefined && !progress && !state.obstacle && !ownLimit && !own && players < lobby.gatherSize;
  const waitForOthers = async () => {
    setGathering(true);
    const isWaiting = await onGather(needsCode ? lobbyCode : '');
    setGathering(false);
    if (isWaiting) close();
  };
  const obstacle = ownLimit ? { text: ownLimit.title, detail: ownLimit.text } : state.obstacle;

  return (
    <Popup
      title={state.title}
      isOpen
      onClose={close}
      isClosable={!state.isBusy}
      size="lg"
      crest={
        progress && fee ? (
          <HeroCell
            className={styles.cell}
            id={user.id}
            colour={user.colour}
            name={user.name}
            avatarUrl={user.avatarUrl}
            sizePx={154}
            hasFood={false}
          />
        ) : (
          <PetriGauge
            className={styles.dish}
            filled={players}
            bots={bots}
            seats={parseSeats(lobby.players).max}
            seed={lobby.name.length}
            isLocked={lobby.isLocked}
          />
        )
      }
    >
      <PopupLead>
        {fee ? (
          <>
            {TEXT.entry.wager[0]} <b className={styles.fee}>{`${fee.figure} ${fee.unit}`}</b>{' '}
            {TEXT.entry.wager[1]} <b>{lobby.name}</b>
          </>
        ) : (
          <>
            {TEXT.entry.free} <b>{lobby.name}</b>
          </>
        )}
      </PopupLead>
      {needsCode && !obstacle && (
        <TextField
          className={styles.code}
          label={TEXT.entry.lobbyCode}
          placeholder={TEXT.entry.lobbyCodePlaceholder}
          hint={TEXT.entry.lobbyCodeHint}
          error={isCodeWrong ? TEXT.entry.wrongCode : undefined}
          isCode
          value={lobbyCode}
          disabled={state.isBusy}
          onChange={(event) => {
            clearCodeError();
            setLobbyCode(event.target.value.trim());
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && state.isMainEnabled) void start(lobbyCode);
          }}
        />
      )}
      <div className={styles.body}>
        <EntryDetails
          lobby={lobby}
          config={config}
          payer={user.walletAddress}
          players={players}
          bots={bots}
          poolTotal={pulse?.poolTotal ?? BigInt(lobby.poolAmount)}
          obstacle={obstacle}
          hasNewPrice={hasNewPrice}
          keyHints={keyHints}
          wayMs={wayTo(lobby, ways)}
          canGather={canGather}
          heldForSeconds={isCalled ? Math.ceil((own.endsAtMs - nowMs) / 1000) : undefined}
          isHidden={progress !== undefined && fee !== undefined}
        />
        {fee && (progress || !obstacle) && <EntrySteps progress={progress} />}
      </div>
      <PopupActions>
        <Button
          size="lg"
          disabled={state.isBusy && !state.isCancellable}
          onClick={state.isCancellable ? cancel : close}
        >
          {TEXT.cancel}
        </Button>
        {!progress && !isRemoved && (
          <IconButton
            size="lg"
            label={TEXT.entry.invite}
            icon={<Link2 />}
            onClick={() => void copyInvite(lobby, lobbyCode)}
          />
        )}
        {canGather && (
          <Button
            size="lg"
            isBusy={isGathering}
            disabled={!state.isMainEnabled}
            onClick={() => void waitForOthers()}
          >
            {TEXT.gathering.offer}
          </Button>
        )}
        {ownLimit ? (
          <Button size="lg" variant="primary" onClick={onLimits}>
            {TEXT.limits.see}
          </Button>
        ) : (
          <Button
            size="lg"
            variant="primary"
            // A free entry may be one key press away; a payment may not.
            autoFocus={!fee && !needsCode}
            isBusy={state.isWaiting}
            disabled={!state.isMainEnabled}
            onClick={() => void start(needsCode ? lobbyCode : undefined)}
          >
            {state.mainLabel}
          </Button>
        )}
      </PopupActions>
    </Popup>
  );
}
