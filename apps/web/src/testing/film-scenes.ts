import type { Body } from '../features/arena/model/playout/bodies.ts';

/** Where most scenes play: the middle of the world. */
export const MIDDLE = 3_500;

/** What a scene can put into a picture. Everything has to be put there again for each one. */
export type SceneStage = {
  cell(id: number, name: string, colour: number, x: number, y: number, radius: number, isOwn?: boolean): Body;
  virus(id: number, x: number, y: number, radius: number): void;
  portal(x: number, y: number, id?: number): void;
  /** Ejected mass. */
  drop(id: number, colour: number, x: number, y: number, radius: number): void;
  food(id: number, colour: number, x: number, y: number, radius: number): void;
  has(id: number): boolean;
  eat(id: number, eater: Body): void;
  /** Makes the player of a cell invulnerable. */
  protect(cell: Body): void;
  look(x: number, y: number, scale: number): void;
  /** How wide the dry part is, and where the water is heading. */
  tide(size: number, goal: number): void;
  /** What a player says with one key. */
  emote(playerName: string, text: string): void;
};

type Scene = (stage: SceneStage, atMs: number) => void;

export const SCENES: { readonly [name: string]: Scene } = {
  /** A cell swallows another player. */
  engulf(stage, atMs) {
    const eater = stage.cell(1, 'MoonYolk', 0, MIDDLE - 40, MIDDLE, 150, true);
    const closing = Math.min(1, atMs / 500);
    if (atMs < 500) {
      stage.cell(2, 'nibbler', 3, MIDDLE + 230 - 125 * closing, MIDDLE - 90 + 40 * closing, 52);
    } else if (stage.has(2)) stage.eat(2, eater);
  },
  split(stage, atMs) {
    const sinceMs = Math.max(0, atMs - 120);
    const radius = atMs < 120 ? 150 : 106;
    const flown = 330 * (1 - Math.exp(-sinceMs / 260));
    stage.cell(1, 'MoonYolk', 6, MIDDLE - 120, MIDDLE, radius, true);
    if (atMs >= 120)
      stage.cell(2, 'MoonYolk', 6, MIDDLE - 120 + 30 + flown, MIDDLE - 0.3 * flown, radius, true);
  },
  burst(stage, atMs) {
    const isBurst = atMs >= 360;
    const x = MIDDLE - 190 + 0.42 * Math.min(360, atMs);
    if (!isBurst) stage.virus(50, MIDDLE + 90, MIDDLE, 92);
    stage.cell(1, 'MoonYolk', 4, x, MIDDLE, isBurst ? 84 : 170, true);
    if (!isBurst) return;
    const flown = 260 * (1 - Math.exp(-(atMs - 360) / 240));
    for (let piece = 0; piece < 7; piece++) {
      const angle = (piece / 7) * 2 * Math.PI + 0.4;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      stage.cell(10 + piece, 'MoonYolk', 4, x + flown * cos, MIDDLE + flown * sin, 40 + 4 * piece, true);
    }
  },
  portal(stage, atMs) {
    stage.portal(MIDDLE + 130, MIDDLE);
    if (atMs < 340) stage.cell(1, 'MoonYolk', 0, MIDDLE - 60 + 0.42 * atMs, MIDDLE - 20, 90, true);
  },
  /** Touching: the border, a virus and another cell of the same size. */
  touch(stage, atMs) {
    const squeeze = 60 * Math.min(1, atMs / 400);
    stage.look(700, 480, 0.55);
    stage.cell(1, 'MoonYolk', 0, 420, 240 - squeeze, 140, true);
    stage.cell(2, 'Wobble', 6, 760 - squeeze, 330, 150);
    stage.cell(3, 'OozeLord', 5, 1050 - squeeze * 1.6, 340, 145);
    stage.virus(50, 500 - squeeze, 760, 92);
    stage.cell(4, 'ser_blob', 2, 720 - squeeze, 760, 165);
  },
  /** A corner of the dry part while the water comes in, with a cell at the shore. */
  tide(stage) {
    const size = 3_200;
    const corner = MIDDLE - size / 2;
    stage.tide(size, size - 500);
    stage.look(corner + 380, corner + 120, 0.5);
    stage.cell(1, 'MoonYolk', 0, corner + 520, corner + 70, 110, true);
    stage.cell(2, 'Wobble', 6, corner + 800, corner + 380, 90);
    stage.cell(3, 'ser_blob', 2, corner + 60, corner + 60, 120);
  },
  /** The same while it goes out. */
  ebb(stage) {
    const size = 3_200;
    const corner = MIDDLE - size / 2;
    stage.tide(size, size + 500);
    stage.look(corner + 380, corner + 220, 0.5);
    stage.cell(1, 'MoonYolk', 0, corner + 320, corner + 300, 110, true);
  },
  /** Somebody in the mouth of a larger cell, and two of about the same size. */
  fight(stage) {
    stage.cell(1, 'MoonYolk', 0, MIDDLE - 60, MIDDLE, 160, true);
    stage.cell(2, 'WobbleTheGreat', 6, MIDDLE + 90, MIDDLE - 20, 120);
    stage.cell(3, 'OozeLord', 5, MIDDLE - 60, MIDDLE + 290, 155);
  },
  /** The empty arena at its edge: light, grid, dust, a field's name, the border and what is outside. */
  ground(stage) {
    stage.look(500, MIDDLE, 0.35);
  },
  /** Something of every layer. A virus bursts after 96 ms, a drop is swallowed from 160 ms on. */
  everything(stage, atMs) {
    stage.look(400, MIDDLE, 0.5);
    for (let piece = 0; piece < 24; piece++) {
      stage.food(piece, piece % 6, 40 + 155 * (piece % 6), MIDDLE - 240 + 150 * Math.floor(piece / 6), 16);
    }
    for (let drop = 0; drop < 4; drop++) stage.drop(70 + drop, 3, 800, MIDDLE - 200 + 60 * drop, 24);
    const own = stage.cell(1, 'MoonYolk', 0, 330, MIDDLE - 60, 110, true);
    stage.cell(2, 'Wobble', 6, 600, MIDDLE - 120, 90);
    stage.emote('Wobble', 'Haha');
    stage.protect(stage.cell(3, 'OozeLord', 5, 90, MIDDLE + 150, 70));
    stage.cell(4, 'ser_blob', 2, 700, MIDDLE + 40, 40);
    stage.virus(51, 520, MIDDLE + 140, 92);
    if (atMs < 96) stage.virus(50, 270, MIDDLE + 160, 80);
    if (atMs < 160) stage.drop(60, 2, 400, MIDDLE, 40);
    else if (stage.has(60)) stage.eat(60, own);
    stage.portal(800, MIDDLE + 180, 90);
    // Nearer than the other and out of sight, so that an arrow points to it.
    stage.portal(330, MIDDLE + 400, 91);
  },
};
