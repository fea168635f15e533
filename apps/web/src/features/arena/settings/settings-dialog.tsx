import { Volume2, VolumeX } from 'lucide-react';
import { useSetting } from '../../../shared/settings.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { Slider } from '../../../ui/slider.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { ARENA_TEXT } from '../text.ts';
import { KeyBindings } from './key-bindings.tsx';
import { LookPreview } from './look-preview.tsx';
import styles from './settings-dialog.module.css';

const { settings: text } = ARENA_TEXT;

const SWITCHES = [
  'showBorder',
  'showMass',
  'roundFood',
  'darkMode',
  'continuity',
  'splitRedFlash',
  'splitYellowRipple',
  'colourBlind',
  'reducedMotion',
  'showCheers',
] as const;

/** The first of each is the theme's own. */
const BACKGROUNDS = [undefined, '#10131f', '#1f1310', '#f2ecdb', '#000000'] as const;
const LINES = [undefined, '#7f9a90', '#a03a60', '#b08a20', '#15201d'] as const;

export const VOLUME = { min: 0, max: 1, step: 0.01 } as const;

type SettingsDialogProps = {
  isOpen: boolean;
  own: { name: string; avatarUrl: string | null };
  onClose: () => void;
};

export function SettingsDialog({ isOpen, own, onClose }: SettingsDialogProps) {
  return (
    <Popup title={text.title} size="wide" isOpen={isOpen} onClose={onClose}>
      <div className={styles.columns}>
        <div>
          {SWITCHES.map((name) => (
            <SettingSwitch key={name} name={name} />
          ))}
        </div>
        <div className={styles.right}>
          <LookPreview own={own} />
          <Swatches name="backgroundColor" colours={BACKGROUNDS} />
          <Swatches name="lineColor" colours={LINES} />
          <Volume />
          <AmbienceVolume />
          <UiScale />
        </div>
      </div>
      <KeyBindings />
    </Popup>
  );
}

function SettingSwitch({ name }: { name: (typeof SWITCHES)[number] }) {
  const [isOn, setOn] = useSetting(name);
  const [label, note] = text.switches[name];
  return <Switch label={label} note={note} isOn={isOn} onChange={setOn} />;
}

type SwatchesProps = {
  name: 'backgroundColor' | 'lineColor';
  colours: readonly (string | undefined)[];
};

function Swatches({ name, colours }: SwatchesProps) {
  const [chosen, choose, reset] = useSetting(name);
  return (
    <fieldset className={styles.swatches}>
      <legend>{text.colours[name]}</legend>
      {colours.map((colour) => (
        <label key={colour ?? 'theme'} className={styles.swatch}>
          <input
            type="radio"
            name={name}
            checked={chosen === colour}
            onChange={() => (colour === undefined ? reset() : choose(colour))}
          />
          <span style={colour === undefined ? undefined : { background: colour }} />
          <i>{colour ?? text.themeColour}</i>
        </label>
      ))}
    </fieldset>
  );
}

function Volume() {
  const [volume, setVolume] = useSetting('audioVolume');
  const [isMuted, setMuted] = useSetting('isMuted');
  return (
    <div>
      <span className={styles.figureHead}>
        <IconButton
          size="sm"
          label={isMuted ? text.unmute : text.mute}
          icon={isMuted ? <VolumeX /> : <Volume2 />}
          onClick={() => setMuted(!isMuted)}
        />
        {text.volume}
        <b>{isMuted ? text.muted : `${Math.round(volume * 100)}%`}</b>
      </span>
      <Slider label={text.volume} value={volume} {...VOLUME} onChange={setVolume} />
    </div>
  );
}

function AmbienceVolume() {
  const [volume, setVolume] = useSetting('ambienceVolume');
  return (
    <div>
      <span className={styles.figureHead}>
        {text.ambience}
        <b>{Math.round(volume * 100)}%</b>
      </span>
      <Slider label={text.ambience} value={volume} {...VOLUME} onChange={setVolume} />
    </div>
  );
}

function UiScale() {
  const [scale, setScale] = useSetting('uiScale');
  return (
    <div>
      <span className={styles.figureHead}>
        {text.uiScale}
        <b>{Math.round(scale * 100)}%</b>
      </span>
      <Slider label={text.uiScale} value={scale} min={0.75} max={1.5} step={0.05} onChange={setScale} />
    </div>
  );
}
