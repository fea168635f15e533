import { Link2, Pause, Play, ShieldCheck, SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react';
import { useSetting } from '../../../shared/settings.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { KeyHint } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Slider } from '../../../ui/slider.tsx';
import styles from './controls.module.css';
import type { ReplayActions } from './replay-actions.ts';
import { SPEEDS } from './replay-source.ts';
import { useReplay } from './replay-store.ts';
import { REPLAY_TEXT } from './text.ts';
import { TimeLine } from './time-line.tsx';

type ControlsProps = { actions: ReplayActions; onShare: () => void; onVerify: () => void };

/** The bar at the bottom: time line, play, keyframes, speed, link and check. */
export function Controls({ actions, onShare, onVerify }: ControlsProps) {
  const isPlaying = useReplay((state) => state.isPlaying);
  const speed = useReplay((state) => state.speed);
  const [isMuted, setMuted] = useSetting('isMuted');
  const { controls } = REPLAY_TEXT;
  return (
    <section className={styles.bar} aria-label={controls.label}>
      <TimeLine onSeek={actions.seek} />
      <div className={styles.row}>
        <div className={styles.group}>
          <IconButton label={controls.earlier} icon={<SkipBack />} onClick={() => actions.jumpKeyframe(-1)} />
          <IconButton
            variant="primary"
            label={isPlaying ? controls.pause : controls.play}
            icon={isPlaying ? <Pause /> : <Play />}
            onClick={actions.toggle}
          />
          <IconButton label={controls.later} icon={<SkipForward />} onClick={() => actions.jumpKeyframe(1)} />
          <IconButton
            label={isMuted ? controls.unmute : controls.mute}
            icon={isMuted ? <VolumeX /> : <Volume2 />}
            onClick={() => setMuted(!isMuted)}
          />
        </div>
        <div className={styles.speed}>
          <Slider
            label={controls.speed}
            min={0}
            max={SPEEDS.length - 1}
            step={1}
            value={SPEEDS.indexOf(speed)}
            onChange={(index) => actions.setSpeed(SPEEDS[index] ?? 1)}
          />
          <output className={styles.figure} aria-label={controls.speed}>
            {controls.speedOf(speed)}
          </output>
        </div>
        <div className={styles.hints}>
          {REPLAY_TEXT.keys.map(([keyName, action]) => (
            <KeyHint key={keyName} keyName={keyName} action={action} />
          ))}
        </div>
        <div className={classNames(styles.group, styles.links)}>
          <Button size="sm" icon={<Link2 />} onClick={onShare}>
            {REPLAY_TEXT.share}
          </Button>
          <Button size="sm" icon={<ShieldCheck />} onClick={onVerify}>
            {REPLAY_TEXT.verify}
          </Button>
        </div>
      </div>
    </section>
  );
}
