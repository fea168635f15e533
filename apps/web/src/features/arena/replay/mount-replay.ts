import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { PlayerId } from '@engulf/sim/players';
import { drawArena } from '../draw-arena.ts';
import { createArenaModel } from '../model/arena-model.ts';
import type { Frame } from '../model/frame/frame.ts';
import { createArenaEvents } from '../net/events.ts';
import { createStage } from '../render/stage.ts';
import { loadLettering } from '../render/textures/lettering.ts';
import { hearArena } from '../sound/hear-arena.ts';
import type { IndexNews } from './match-index.ts';
import { createReplayCamera } from './replay-camera.ts';
import type { ReplayLink } from './replay-link.ts';
import type { ReplayAnswer, ReplayPort } from './replay-messages.ts';
import { createReplaySource } from './replay-source.ts';
import { playerOfKey, type ReplayStore, type ShownPlayer } from './replay-store.ts';

const PANELS_EVERY_MS = 500;
const CLOCK_EVERY_MS = 200;
/** A faster film is silent: its sounds would run into each other. */
const MAX_HEARD_SPEED = 2;

type ReplayDeps = {
  readonly match: PublicMatch;
  readonly recording: Uint8Array;
  readonly link: ReplayLink;
  readonly port: ReplayPort;
  readonly store: ReplayStore;
};

/** What the controls do. */
export type ReplayControls = {
  play(isPlaying: boolean): void;
  setSpeed(speed: number): void;
  seek(tick: number): void;
  /** Undefined: the camera is free. */
  follow(player: PlayerId | undefined): void;
  dispose(): void;
};

/** Plays a recording in the element. */
export async function mountReplay(element: HTMLElement, deps: ReplayDeps): Promise<ReplayControls> {
  const { port, store, link } = deps;
  const [stage] = await Promise.all([createStage(element), loadLettering()]);
  const events = createArenaEvents();
  const model = createArenaModel((event) => source.speed <= MAX_HEARD_SPEED && events.publish(event));
  const source = createReplaySource(model, port);
  const ears = hearArena(events);
  const camera = createReplayCamera(element, model, () => store.setState({ followed: undefined }));
  /** The player of the link, until the index has found it. */
  let awaited = link.player;
  const news: IndexNews[] = [];
  let clockMs = 0;
  let panelsMs = 0;

  port.onAnswer = receive;
  source.open(deps.match, deps.recording);
  const stopDrawing = drawArena(element, stage, {
    camera: model.camera,
    unit: deps.match.tokenSymbol,
    connection: () => 'excellent',
    advance: (nowMs, maxParticles) => model.advance(source.advance(nowMs), maxParticles, camera.move),
    onFrame,
  });

  const controls: ReplayControls = {
    play: (isPlaying) => {
      source.play(isPlaying);
      showClock();
    },
    setSpeed: (speed) => {
      source.setSpeed(speed);
      showClock();
    },
    seek: (tick) => {
      source.seek(tick);
      showClock();
    },
    follow(player) {
      awaited = undefined;
      camera.follow(player);
      store.setState({ followed: player });
    },
    dispose() {
      stopDrawing();
      ears.stop();
      camera.stop();
      stage.destroy();
      port.close();
    },
  };
  return controls;

  function receive(answer: ReplayAnswer): void {
    source.receive(answer);
    if (answer.type === 'opened') {
      const { finalTick, ticksPerSecond, keyframeTicks, joinTicks } = answer;
      const { seconds, player } = link;
      // Nothing happens before somebody joins.
      const firstJoin = Math.min(finalTick, ...joinTicks.values());
      const start = (player !== undefined && joinTicks.get(player)) || firstJoin;
      store.setState({ phase: 'ready', match: deps.match, finalTick, ticksPerSecond, keyframeTicks });
      source.seek(seconds === undefined ? start : seconds * ticksPerSecond);
    } else if (answer.type === 'failed') {
      store.setState({ phase: 'failed', failure: 'damaged' });
    } else if (answer.type === 'indexed') news.push(answer.news);
  }

  /** Shows what the index has found since the last time. */
  function showNews(): void {
    const last = news.at(-1);
    if (!last) return;
    store.setState(({ marks, lives }) => ({
      marks: [...marks, ...news.flatMap((one) => one.marks)],
      lives: [...lives, ...news.flatMap((one) => one.lives)],
      indexedTick: last.tick,
      difference: last.difference,
    }));
    news.length = 0;
    const found = awaited === undefined ? undefined : playerOfKey(store.getState().lives, awaited);
    if (found !== undefined) controls.follow(found);
  }

  function onFrame(frame: Frame): void {
    ears.onFrame(frame);
    const nowMs = performance.now();
    if (nowMs - clockMs > CLOCK_EVERY_MS) {
      clockMs = nowMs;
      showClock();
    }
    if (nowMs - panelsMs < PANELS_EVERY_MS) return;
    panelsMs = nowMs;
    showNews();
    if (frame.tick > 0) store.setState({ players: playersIn(model.view) });
  }

  function showClock(): void {
    const { position: tick, isPlaying, isWaiting, speed } = source;
    const state = store.getState();
    const isSame =
      state.tick === tick &&
      state.isPlaying === isPlaying &&
      state.isWaiting === isWaiting &&
      state.speed === speed;
    if (!isSame) store.setState({ tick, isPlaying, isWaiting, speed });
  }
}

function playersIn({ players }: ReturnType<typeof createArenaModel>['view']): ShownPlayer[] {
  const shown: ShownPlayer[] = [];
  for (const { id, name, colour, isBot, reward, cells } of players.values()) {
    if (cells.length === 0) continue;
    const mass = cells.reduce((sum, cell) => sum + cell.mass, 0);
    shown.push({ id: id as PlayerId, name, colour, isBot, reward, mass });
  }
  return shown.sort((a, b) => b.mass - a.mass);
}
