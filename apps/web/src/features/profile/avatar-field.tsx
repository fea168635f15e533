import { AVATAR_LIMITS } from '@engulf/domain/profile/avatar';
import { frameFor } from '@engulf/domain/profile/daily-goal';
import type { User } from '@engulf/protocol/user';
import { Camera, Palette } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { HeroCell } from '../../art/hero-cell.tsx';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';
import styles from './avatar-field.module.css';
import { type ChosenPicture, type CropArea, cropCircle, openPicture } from './avatar-file.ts';
import { useAvatarUpload } from './use-avatar-upload.ts';

/** Loaded on demand, because few players change their picture. */
const AvatarPopup = lazy(async () => {
  const { AvatarPopup } = await import('./avatar-popup.tsx');
  return { default: AvatarPopup };
});

const ColourPopup = lazy(async () => {
  const { ColourPopup } = await import('./colour-popup.tsx');
  return { default: ColourPopup };
});

type AvatarFieldProps = {
  user: User;
  onChanged: (change: Partial<Pick<User, 'avatarUrl' | 'colour'>>) => void;
};

/** The player's cell, with buttons that change its picture and its colour. */
export function AvatarField({ user, onChanged }: AvatarFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ChosenPicture>();
  const [isChoosingColour, setChoosingColour] = useState(false);
  const { previewUrl, choose } = useAvatarUpload((avatarUrl) => onChanged({ avatarUrl }));

  const open = async (file: File | undefined) => {
    if (!file) return;
    const opened = await openPicture(file);
    if (opened.ok) setPicture(opened.value);
    else showToast('danger', opened.error);
  };
  const close = () => {
    if (picture) URL.revokeObjectURL(picture.url);
    setPicture(undefined);
  };
  const save = async (area: CropArea) => {
    if (!picture) return;
    const cropped = await cropCircle(picture.image, area);
    close();
    if (cropped.ok) choose(cropped.value);
    else showToast('danger', cropped.error);
  };
  return (
    <>
      <HeroCell
        className={styles.cell}
        id={user.id}
        colour={user.colour}
        frame={frameFor(user.goalDays)}
        name={user.name}
        avatarUrl={previewUrl ?? user.avatarUrl}
      />
      <button
        type="button"
        className={styles.colour}
        aria-label={TEXT.profile.colour.title}
        title={TEXT.profile.colour.title}
        onClick={() => setChoosingColour(true)}
      >
        <Palette size={17} strokeWidth={2.25} />
      </button>
      <button
        type="button"
        className={styles.change}
        aria-label={TEXT.profile.changePhoto}
        title={TEXT.profile.changePhoto}
        onClick={() => input.current?.click()}
      >
        <Camera size={17} strokeWidth={2.25} />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={TEXT.profile.changePhoto}
        accept={AVATAR_LIMITS.mimeTypes.join(',')}
        onChange={(event) => {
          void open(event.target.files?.[0]);
          // Choosing the same file again must also count as a change.
          event.target.value = '';
        }}
      />
      {isChoosingColour && (
        <Suspense>
          <ColourPopup
            user={user}
            onChanged={(colour) => onChanged({ colour })}
            onClose={() => setChoosingColour(false)}
          />
        </Suspense>
      )}
      {picture && (
        <Suspense>
          <AvatarPopup picture={picture} onSave={(area) => void save(area)} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
