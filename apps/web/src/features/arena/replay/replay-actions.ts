import type { PlayerId } from '@engulf/sim/players';
import type { Life } from './match-index.ts';
import type { ReplayControls } from './mount-replay.ts';
import { SPEEDS } from './replay-source.ts';
import type { ReplayStore } from './replay-store.ts';

export type ReplayActions = ReturnType<typeof createReplayActions>;

const SKIP_SECONDS = 5;

/** Everything a viewer can do, for buttons and keys alike. Does nothing until the film is there. */
export function createReplayActions(store: ReplayStore, controls: () => ReplayControls | undefined) {
  const actions = {
    toggle: () => controls()?.play(!store.getState().isPlaying),
    seek: (tick: number) => controls()?.seek(tick),
    setSpeed: (speed: number) => controls()?.setSpeed(speed),
    follow: (player: PlayerId | undefined) => controls()?.follow(player),
    visit({ player, fromTick }: Life): void {
      actions.follow(player);
      actions.seek(fromTick);
    },
    skip(direction: -1 | 1): void {
      const { tick, ticksPerSecond } = store.getState();
      actions.seek(tick + direction * SKIP_SECONDS * ticksPerSecond);
    },
    jumpKeyframe(direction: -1 | 1): void {
      const { tick, ticksPerSecond, keyframeTicks, finalTick } = store.getState();
      // A film that plays has just left the keyframe it jumped to.
      const isBefore = (one: number) => one < tick - ticksPerSecond;
      const next = direction < 0 ? keyframeTicks.findLast(isBefore) : keyframeTicks.find((one) => one > tick);
      actions.seek(next ?? (direction < 0 ? 0 : finalTick));
    },
    changeSpeed(direction: -1 | 1): void {
      const index = SPEEDS.indexOf(store.getState().speed);
      const next = SPEEDS[index + direction];
      if (next !== undefined) actions.setSpeed(next);
    },
    followLargest(): void {
      const [largest] = store.getState().players;
      if (largest) actions.follow(largest.id);
    },
  };
  return actions;
}

/** `KeyboardEvent.key`, in small letters. */
const KEYS: { readonly [key: string]: (actions: ReplayActions) => void } = {
  ' ': (actions) => actions.toggle(),
  k: (actions) => actions.toggle(),
  j: (actions) => actions.skip(-1),
  l: (actions) => actions.skip(1),
  '[': (actions) => actions.jumpKeyframe(-1),
  ']': (actions) => actions.jumpKeyframe(1),
  '-': (actions) => actions.changeSpeed(-1),
  '+': (actions) => actions.changeSpeed(1),
  '=': (actions) => actions.changeSpeed(1),
  f: (actions) => actions.followLargest(),
};

/** Returns a function that stops. */
export function listenToReplayKeys(actions: ReplayActions): () => void {
  const onDown = (event: KeyboardEvent) => {
    const act = KEYS[event.key.toLowerCase()];
    const { target, ctrlKey, metaKey, altKey } = event;
    if (!act || ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
    const isPressing = event.key === ' ' && target.closest('button, a') !== null;
    if (isPressing || target.closest('input, [role="dialog"]')) return;
    event.preventDefault();
    act(actions);
  };
  window.addEventListener('keydown', onDown);
  return () => window.removeEventListener('keydown', onDown);
}
