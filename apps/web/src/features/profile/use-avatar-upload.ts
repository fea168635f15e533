import { ERRORS } from '@engulf/domain/errors/registry';
import { AVATAR_LIMITS } from '@engulf/domain/profile/avatar';
import { updateAvatar } from '@engulf/protocol/user';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';

/** Shows a picture at once and uploads it a moment later. If that fails, the old one is back. */
export function useAvatarUpload(onUploaded: (avatarUrl: string) => void) {
  const [previewUrl, setPreviewUrl] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onUploaded);
  latest.current = onUploaded;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => () => void (previewUrl && URL.revokeObjectURL(previewUrl)), [previewUrl]);

  const upload = async (picture: Blob, url: string) => {
    const form = new FormData();
    form.append('image', picture, 'avatar.png');
    const answer = await callApi(updateAvatar, { form });
    if (answer.ok) {
      latest.current(answer.value.newValue);
      showToast('profit', { title: TEXT.profile.photo.updated });
    } else {
      const text = answer.error.message || ERRORS.AVATAR_UPDATE_FAILED.text;
      showToast('danger', { title: ERRORS.AVATAR_UPDATE_FAILED.title, text });
    }
    // A newer choice keeps its own preview.
    setPreviewUrl((current) => (current === url ? undefined : current));
  };
  const choose = (picture: Blob) => {
    const url = URL.createObjectURL(picture);
    setPreviewUrl(url);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void upload(picture, url), AVATAR_LIMITS.uploadAfterMs);
  };
  return { previewUrl, choose };
}
