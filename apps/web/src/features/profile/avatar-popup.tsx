import { useState } from 'react';
import Cropper from 'react-easy-crop';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import type { ChosenPicture, CropArea } from './avatar-file.ts';
import styles from './avatar-popup.module.css';

const ZOOM = { min: 1, max: 3, step: 0.05 } as const;
const KEYBOARD_STEP_PX = 8;

type AvatarPopupProps = {
  picture: ChosenPicture;
  onSave: (area: CropArea) => void;
  onClose: () => void;
};

/** Chooses the part of the picture that will be seen. */
export function AvatarPopup({ picture, onSave, onClose }: AvatarPopupProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState<number>(ZOOM.min);
  const [area, setArea] = useState<CropArea>();
  return (
    <Popup title={TEXT.profile.photo.title} isOpen onClose={onClose} size="sm">
      <PopupLead>{TEXT.profile.photo.lead}</PopupLead>
      <div className={styles.cropper}>
        <Cropper
          image={picture.url}
          crop={crop}
          zoom={zoom}
          minZoom={ZOOM.min}
          maxZoom={ZOOM.max}
          aspect={1}
          cropShape="round"
          showGrid={false}
          objectFit="cover"
          keyboardStep={KEYBOARD_STEP_PX}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
        />
      </div>
      <label className={styles.zoom}>
        {TEXT.profile.photo.zoom}
        <input
          type="range"
          min={ZOOM.min}
          max={ZOOM.max}
          step={ZOOM.step}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      <PopupActions>
        <Button size="lg" onClick={onClose}>
          {TEXT.cancel}
        </Button>
        <Button size="lg" variant="primary" disabled={!area} onClick={() => area && onSave(area)}>
          {TEXT.profile.photo.save}
        </Button>
      </PopupActions>
    </Popup>
  );
}
