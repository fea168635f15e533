import { PLAYER_COLOUR_COUNT, playerColourIndex } from '@engulf/domain/profile/colour';
import { chooseColour, type User } from '@engulf/protocol/user';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { useCellColours } from '../../art/cell-colours.ts';
import { HeroCell } from '../../art/hero-cell.tsx';
import { callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './colour-popup.module.css';

type ColourPopupProps = {
  user: Pick<User, 'id' | 'name' | 'avatarUrl' | 'colour'>;
  onChanged: (colour: number) => void;
  onClose: () => void;
};

const COLOURS = Array.from({ length: PLAYER_COLOUR_COUNT }, (_, colour) => colour);

/** The colour of the own cell, for everybody to see. */
export function ColourPopup({ user, onChanged, onClose }: ColourPopupProps) {
  const [colour, setColour] = useState(user.colour ?? playerColourIndex(user.id));
  const [isSaving, setSaving] = useState(false);
  const palette = useCellColours();
  const { title, lead, save, names, failed } = TEXT.profile.colour;
  const store = async () => {
    setSaving(true);
    const stored = await callApi(chooseColour, { body: { colour } });
    setSaving(false);
    if (!stored.ok) return showToast('danger', { title: failed, text: stored.error.message });
    onChanged(colour);
    onClose();
  };
  return (
    <Popup title={title} isOpen onClose={onClose} size="sm">
      <PopupLead>{lead}</PopupLead>
      <HeroCell className={styles.cell} {...user} colour={colour} sizePx={150} hasFood={false} />
      <RadioGroup.Root
        className={styles.colours}
        aria-label={title}
        value={String(colour)}
        onValueChange={(value) => setColour(Number(value))}
      >
        {COLOURS.map((each) => (
          <RadioGroup.Item
            key={each}
            className={styles.colour}
            value={String(each)}
            aria-label={names[each]!}
            title={names[each]}
            style={{ background: palette[each]![0], borderColor: palette[each]![1] }}
          />
        ))}
      </RadioGroup.Root>
      <PopupActions>
        <Button size="lg" variant="primary" isBusy={isSaving} onClick={() => void store()}>
          {save}
        </Button>
      </PopupActions>
    </Popup>
  );
}
