import { isEligible } from '@engulf/domain/ids/access-code';
import type { User } from '@engulf/protocol/user';
import { Check, Copy, HeartHandshake, KeyRound, Lock, Play, Ticket, Trophy } from 'lucide-react';
import type { ReactNode } from 'react';
import { abbreviate } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AvatarField } from './avatar-field.tsx';
import styles from './profile-card.module.css';
import { UsernameField } from './username-field.tsx';

type ProfileCardProps = {
  user: User;
  /** After a game the button for the next one is focused. */
  isNextStepFocused: boolean;
  onChanged: (change: Partial<Pick<User, 'name' | 'avatarUrl' | 'colour'>>) => void;
  onJoinLobby: () => void;
  onEnterCode: () => void;
  onLimits: () => void;
};

/** The profile of a player. The primary button is the next step towards a game. */
export function ProfileCard(props: ProfileCardProps) {
  const { user, isNextStepFocused, onChanged, onJoinLobby, onEnterCode, onLimits } = props;
  const hasAccess = isEligible(user);
  const copyAddress = async () => {
    await navigator.clipboard.writeText(user.walletAddress);
    showToast('info', { title: TEXT.profile.addressCopied, text: abbreviate(user.walletAddress) });
  };
  return (
    <Panel className={styles.card}>
      <AvatarField user={user} onChanged={onChanged} />
      <div className={styles.who}>
        <div className={styles.nameLine}>
          <UsernameField name={user.name} onRenamed={(name) => onChanged({ name })} />
          {hasAccess ? (
            <Chip tone="profit" icon={<Check />}>
              {TEXT.profile.accessGranted}
            </Chip>
          ) : (
            <Chip tone="portal" icon={<Lock />}>
              {TEXT.profile.accessNeeded}
            </Chip>
          )}
        </div>
        <dl className={styles.facts}>
          <Fact label={TEXT.profile.rank}>
            <Trophy size={18} strokeWidth={2.25} />
            {user.rank === null ? TEXT.nothing : TEXT.profile.rankText(user.rank)}
          </Fact>
          <Fact label={TEXT.profile.multiplier}>
            <span
              className={styles.multiplier}
              title={TEXT.profile.multiplierNote}
            >{`x${user.multiplier.toFixed(2)}`}</span>
          </Fact>
          <Fact label={TEXT.profile.wallet}>
            {abbreviate(user.walletAddress)}
            <button
              type="button"
              className={styles.copy}
              aria-label={TEXT.profile.copyAddress}
              title={TEXT.profile.copyAddress}
              onClick={() => void copyAddress()}
            >
              <Copy size={15} strokeWidth={2.25} />
            </button>
          </Fact>
          <Fact label={TEXT.limits.profileLabel}>
            <button type="button" className={styles.limits} onClick={onLimits}>
              <HeartHandshake size={16} strokeWidth={2.25} />
              {TEXT.limits.open}
            </button>
          </Fact>
        </dl>
      </div>
      <div className={styles.actions}>
        {hasAccess ? (
          <>
            <Button
              variant="primary"
              size="lg"
              icon={<Play fill="currentColor" />}
              autoFocus={isNextStepFocused}
              onClick={onJoinLobby}
            >
              {TEXT.profile.joinLobby}
            </Button>
            <Button icon={<Ticket />} disabled>
              {TEXT.profile.enterAccessCode}
            </Button>
          </>
        ) : (
          <>
            <Button variant="primary" size="lg" icon={<KeyRound />} onClick={onEnterCode}>
              {TEXT.profile.enterAccessCode}
            </Button>
            <Button icon={<Play />} onClick={onJoinLobby}>
              {TEXT.profile.joinLobby}
            </Button>
          </>
        )}
      </div>
    </Panel>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}
