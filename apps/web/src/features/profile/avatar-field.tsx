import { AVATAR_LIMITS } from '@engulf/domain/profile/avatar';
import { Camera } from 'lucide-react';
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

type AvatarFieldProps = {
  name: string;
  avatarUrl: string | null;
  onChanged: (avatarUrl: string) => void;
};

/** The player's cell, with a button that replaces its picture. */
export function AvatarField({ name, avatarUrl, onChanged }: AvatarFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ChosenPicture>();
  const { previewUrl, choose } = useAvatarUpload(onChanged);

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
      <HeroCell className={styles.cell} name={name} avatarUrl={previewUrl ?? avatarUrl} />
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
      {picture && (
        <Suspense>
          <AvatarPopup picture={picture} onSave={(area) => void save(area)} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
