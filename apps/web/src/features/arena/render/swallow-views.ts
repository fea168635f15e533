import type { Container } from 'pixi.js';
import type { Frame } from '../model/frame/frame.ts';
import type { Body } from '../model/playout/bodies.ts';
import type { CellView } from './cell-view.ts';
import type { Effects } from './effects.ts';
import type { MembraneView } from './flesh/flesh-shape.ts';
import { createMembraneView, type RendererKind } from './flesh/membrane-view.ts';
import { closeMouth, createMouth, MOUTH_POINTS } from './flesh/mouth.ts';
import type { Morsel } from './flesh/shape-cells.ts';
import { ripple, strike } from './flesh/soft-body.ts';
import type { DrawQuality } from './quality.ts';
import { closedShare, placeOf, type Swallow, shareOf } from './swallows.ts';
import type { FleshTextures } from './textures/flesh-textures.ts';

type SwallowView = {
  readonly swallow: Swallow;
  readonly view: CellView;
  readonly lips:
    | { readonly membrane: MembraneView; readonly mouth: ReturnType<typeof createMouth> }
    | undefined;
};

/** Cells on their way out: into an eater, a sibling or a portal. */
export function createSwallowViews(
  kind: RendererKind,
  layer: Container,
  flesh: FleshTextures,
  effects: Effects,
  viewOf: (cell: Body) => CellView | undefined,
) {
  let active: SwallowView[] = [];
  const spareLips: NonNullable<SwallowView['lips']>[] = [];

  return {
    destroy(): void {
      for (const { membrane } of spareLips) membrane.view.destroy();
    },

    add(swallow: Swallow, view: CellView): void {
      const lips = swallow.kind === 'engulfed' ? takeLips() : undefined;
      if (lips) layer.addChild(lips.membrane.view);
      active.push({ swallow, view, lips });
      if (swallow.kind === 'portal') burstInPortal(swallow);
    },

    /** Food and drops make the membrane twitch and crumble a little. */
    noteGulps({ gulps, nowMs }: Frame): void {
      for (const { kind: prey, colour, eater, startedMs, fromX, fromY, fromRadius } of gulps) {
        if (startedMs !== nowMs || prey === 'cell') continue;
        const view = viewOf(eater);
        if (!view) continue;
        const angle = Math.atan2(fromY - eater.y, fromX - eater.x);
        const size = Math.min(1, fromRadius / eater.radius);
        strike(view.state.body, angle, 0.5 + 3 * size, 0.22 + size);
        effects.burst({
          x: fromX,
          y: fromY,
          colour: prey === 'food' ? FOOD_TO_PLAYER[colour % FOOD_TO_PLAYER.length]! : colour,
          count: prey === 'food' ? 2 : 4,
          spread: fromRadius * 0.5,
          speed: 130,
          radius: fromRadius * 0.3,
          lifeS: 0.32,
          heading: angle,
          cone: 1.2,
        });
      }
    },

    /** Prey that the eaters' membranes still have to wrap around. */
    morsels({ nowMs }: Frame): Morsel[] {
      return active.flatMap(({ swallow }) => {
        const { eater, kind: how } = swallow;
        if (!eater || !viewOf(eater) || how === 'faded' || shareOf(swallow, nowMs) > 0.86) return [];
        return [{ eater, ...placeOf(swallow, nowMs) }];
      });
    },

    /** Returns the views that are done with. */
    draw(frame: Frame, quality: DrawQuality): readonly CellView[] {
      const done: CellView[] = [];
      active = active.filter((each) => {
        const isOver = shareOf(each.swallow, frame.nowMs) >= 1;
        const eaterView = each.swallow.eater && viewOf(each.swallow.eater);
        if (isOver && eaterView) settle(each.swallow, eaterView);
        if (isOver || (each.swallow.eater && !eaterView)) {
          if (each.lips) {
            layer.removeChild(each.lips.membrane.view);
            spareLips.push(each.lips);
          }
          done.push(each.view);
          return false;
        }
        drawOne(each, eaterView, frame, quality);
        return true;
      });
      return done;
    },

    /** A virus that is gone while a cell covers it has burst that cell. */
    burstVirus(virus: Body, frame: Frame): void {
      const cell = frame.cells.findLast(
        ({ x, y, radius }) => Math.hypot(x - virus.x, y - virus.y) < radius + virus.radius * 1.5,
      );
      if (!cell) return;
      const { x, y, radius } = virus;
      effects.burst({ x, y, colour: 'virus', count: 22, spread: radius, speed: 620, radius: 9, lifeS: 0.7 });
      effects.burst({
        x,
        y,
        colour: cell.colour,
        count: 16,
        spread: radius,
        speed: 460,
        radius: 11,
        lifeS: 0.6,
      });
      for (const each of frame.cells) {
        const view = each.player === cell.player ? viewOf(each) : undefined;
        if (view) ripple(view.state.body, each.id, 2.4);
      }
      if (cell.isOwn) effects.push(Math.atan2(cell.y - y, cell.x - x), 7);
    },
  };

  function drawOne(
    { swallow, view, lips }: SwallowView,
    eaterView: CellView | undefined,
    frame: Frame,
    quality: DrawQuality,
  ): void {
    const { prey, eater, kind: how } = swallow;
    const place = placeOf(swallow, frame.nowMs);
    const share = shareOf(swallow, frame.nowMs);
    const { container } = view;
    view.draw(
      { ...prey, x: place.x + (eater?.x ?? 0), y: place.y + (eater?.y ?? 0), radius: place.radius },
      frame,
      quality,
    );
    container.alpha = how === 'faded' || how === 'merged' ? 1 - share ** 2 : 1;
    if (how === 'portal') container.rotation = share * share * 5;
    if (!eater || !eaterView) return;
    container.zIndex = eaterView.container.zIndex + 2e-4;
    if (!lips) return;
    const closed = closedShare(swallow, frame.nowMs);
    // There are no lips to close until the membrane has wrapped around the prey.
    lips.membrane.view.visible = closed > 0 && closed < 0.97;
    container.visible = closed < 0.97;
    const radius = eater.radius;
    const inset = 4 / frame.camera.scale;
    closeMouth(
      lips.mouth,
      { ...place, radius: place.radius },
      { body: eaterView.state.body, radius, inset },
      closed,
    );
    lips.membrane.draw({
      flesh: flesh.of(eater.colour),
      radius,
      outline: lips.mouth.opening,
      outer: lips.mouth.outer,
      pxPerUnit: frame.camera.scale,
      isOwn: false,
      hasGlow: false,
    });
    lips.membrane.view.position.set(eater.x, eater.y);
    lips.membrane.view.zIndex = eaterView.container.zIndex + 4e-4;
  }

  /** The mouth is shut: the eater bulges and swings. */
  function settle({ kind: how, prey, eater, fromX, fromY }: Swallow, eaterView: CellView): void {
    if (!eater || how === 'faded') return;
    const angle = Math.atan2(fromY, fromX);
    const size = Math.min(1, prey.radius / eater.radius);
    ripple(eaterView.state.body, angle, (how === 'merged' ? 0.9 : 1.6) * (0.4 + size));
    strike(eaterView.state.body, angle, -2.5 * size, 0.7);
    const reach = Math.hypot(fromX, fromY) + prey.radius * 0.4;
    effects.burst({
      x: eater.x + reach * Math.cos(angle),
      y: eater.y + reach * Math.sin(angle),
      colour: how === 'merged' ? eater.colour : prey.colour,
      count: how === 'merged' ? 8 : 20,
      spread: prey.radius * 0.5,
      speed: 180 + 3 * prey.radius,
      radius: Math.min(16, 3 + prey.radius * 0.1),
      lifeS: 0.6,
      heading: angle,
      cone: 1.1,
    });
    if (how === 'engulfed' && (eater.isOwn || prey.isOwn)) effects.push(angle, 2 + 5 * size);
  }

  function burstInPortal({ toX: x, toY: y, prey }: Swallow): void {
    effects.burst({ x, y, colour: 'ember', count: 26, spread: 40, speed: 380, radius: 8, lifeS: 0.9 });
    effects.burst({
      x,
      y,
      colour: prey.colour,
      count: 14,
      spread: prey.radius,
      speed: 90,
      radius: 8,
      lifeS: 0.6,
    });
    if (prey.isOwn) effects.push(Math.atan2(y - prey.y, x - prey.x), 5);
  }

  function takeLips(): NonNullable<SwallowView['lips']> {
    return spareLips.pop() ?? { membrane: createMembraneView(kind, MOUTH_POINTS), mouth: createMouth() };
  }
}

/** The player colour that is nearest to each food colour. */
const FOOD_TO_PLAYER = [0, 0, 10, 10, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9, 9, 11] as const;
