import { Eye, Film, Flag, RotateCcw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { ArtCanvas, usePictures } from '../../../art/art-canvas.tsx';
import { defaultAvatarUrl } from '../../../art/default-avatar.ts';
import { drawCell } from '../../../art/draw-cell.ts';
import { drawFood } from '../../../art/draw-food.ts';
import { drawDroplet } from '../../../art/droplet.ts';
import { mix, seededRandom, WHITE } from '../../../art/paint.ts';
import { type ColourPair, playerColours } from '../../../art/palette.ts';
import { countText, durationText } from '../../../shared/format.ts';
import { TEXT } from '../../../shared/text.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Amount } from '../../../ui/chip.tsx';
import { PopupActions } from '../../../ui/popup.tsx';
import { ReportPopup } from '../../../ui/report-popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { EndFact, EndFacts, EndPopup } from './end-popup.tsx';
import { type Fate, fateText } from './fate.ts';
import type { GameEnd } from './game-end.ts';
import type { Life } from './life-record.ts';
import { RecordLine } from './record-line.tsx';
import styles from './rekt-popup.module.css';

const { rekt } = ARENA_TEXT;

type RektPopupProps = {
  end: GameEnd & { kind: 'rekt' };
  eaterAvatarUrl: string | null;
  life: Life;
  /** Undefined if it was not seen. */
  fate: Fate | undefined;
  unit: string;
  isFree: boolean;
  own: { id: string; name: string; avatarUrl: string | null; colour: number | null };
  onClose: () => void;
  onPlayAgain: () => void;
  onSpectate: () => void;
  /** Replays how it happened. */
  onWatch: () => void;
};

export function RektPopup(props: RektPopupProps) {
  const { end, eaterAvatarUrl, life, fate, unit, isFree, own, onClose, onPlayAgain, onSpectate, onWatch } =
    props;
  const [isReporting, setReporting] = useState(false);
  return (
    <EndPopup
      title={rekt.title}
      heading={
        <span className={styles.word} aria-hidden>
          {rekt.title}
        </span>
      }
      tint="red"
      widthPx={720}
      art={<BurstArt {...own} />}
      artTopPx={-196}
      textTopPx={186}
      onClose={onClose}
      onEnter={onPlayAgain}
    >
      <p className={styles.lead}>{rekt.lead}</p>
      {fate && end.eatenBy !== undefined && <FateLines {...fateText(fate, end.eatenBy)} />}
      <EndFacts>
        {end.eatenBy !== undefined && (
          <EndFact label={rekt.eatenBy}>
            <Avatar name={end.eatenBy} url={eaterAvatarUrl} />
            {end.eatenBy}
          </EndFact>
        )}
        {end.bagLost !== undefined && (
          <EndFact label={rekt.bagLost}>
            <Amount figure={end.bagLost} unit={unit} tone="danger" />
          </EndFact>
        )}
        {end.finalMass !== undefined && (
          <EndFact label={rekt.finalMass}>{countText(Math.floor(end.finalMass))}</EndFact>
        )}
      </EndFacts>
      <EndFacts>
        <EndFact label={rekt.timeAlive}>{durationText(life.aliveMs)}</EndFact>
        <EndFact label={rekt.peakMass}>
          {countText(Math.floor(Math.max(life.peakMass, end.finalMass ?? 0)))}
        </EndFact>
        {life.bestRank !== undefined && <EndFact label={rekt.bestRank}>{life.bestRank}</EndFact>}
        <EndFact label={rekt.eaten}>{life.eaten}</EndFact>
        {life.eaten > 0 && (
          <EndFact label={rekt.bountyTaken}>
            <Amount figure={life.bountyTaken} unit={unit} />
          </EndFact>
        )}
      </EndFacts>
      <RecordLine isFree={isFree} life={life} />
      <div className={styles.watch}>
        <Button size="sm" icon={<Film />} onClick={onWatch}>
          {rekt.watch}
        </Button>
        {end.eatenBy !== undefined && (
          <Button size="sm" icon={<Flag />} onClick={() => setReporting(true)}>
            {TEXT.report.button}
          </Button>
        )}
      </div>
      {isReporting && (
        <ReportPopup player={end.eatenBy!} matchId={null} onClose={() => setReporting(false)} />
      )}
      <PopupActions>
        <Button size="lg" icon={<Eye />} onClick={onSpectate}>
          {rekt.spectate}
        </Button>
        <Button
          size="lg"
          variant="primary"
          icon={<RotateCcw />}
          className={styles.enter}
          onClick={onPlayAgain}
        >
          {rekt.playAgain}
        </Button>
      </PopupActions>
    </EndPopup>
  );
}

function FateLines({ what, advice }: { what: string; advice: string }) {
  return (
    <p className={styles.fate}>
      <b>{what}</b> {advice}
    </p>
  );
}

const WIDTH_PX = 640;
const HEIGHT_PX = 400;
const CENTRE = { x: 320, y: 222 } as const;

/** The player's cell, burst: droplets, shreds of membrane and a crack through the nucleus. */
function BurstArt({ id, name, avatarUrl, colour }: RektPopupProps['own']) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name)]);
  const draw = useCallback(
    function* (context: CanvasRenderingContext2D) {
      const random = seededRandom(12);
      const colours = playerColours(id, colour);
      drawGlow(context);
      yield;
      yield* drawDroplets(context, random, colours);
      yield* drawShreds(context, random, colours);
      const image = pictures?.[0];
      drawCell(context, {
        ...CENTRE,
        r: 90,
        colours,
        seed: 3,
        outline: spilledOutline(),
        ...(image && { nucleus: { image, share: 0.5 } }),
      });
      drawCrack(context);
    },
    [pictures, id, colour],
  );
  return <ArtCanvas widthPx={WIDTH_PX} heightPx={HEIGHT_PX} draw={draw} />;
}

function drawGlow(context: CanvasRenderingContext2D): void {
  const { x, y } = CENTRE;
  const glow = context.createRadialGradient(x, y, 20, x, y, 210);
  glow.addColorStop(0, 'rgba(255,107,87,.5)');
  glow.addColorStop(1, 'rgba(255,107,87,0)');
  context.fillStyle = glow;
  context.fillRect(0, 0, WIDTH_PX, HEIGHT_PX + 40);
}

function* drawDroplets(
  context: CanvasRenderingContext2D,
  random: () => number,
  colours: ColourPair,
): Generator<void> {
  for (let index = 0; index < 46; index++) {
    const angle = random() * 2 * Math.PI;
    const reach = 96 + random() ** 0.7 * 150;
    const r = 3 + random() * 12 * (1 - (reach - 96) / 220);
    const x = CENTRE.x + reach * Math.cos(angle) * 1.25;
    const y = CENTRE.y + reach * Math.sin(angle) * 0.82;
    if (index % 4 === 0) drawFood(context, x, y, Math.max(3, r * 0.6), (index * 7) % 20);
    else drawDroplet(context, x, y, r, colours, index + 1);
    yield;
  }
}

function* drawShreds(
  context: CanvasRenderingContext2D,
  random: () => number,
  [fill, membrane]: ColourPair,
): Generator<void> {
  const r = 112;
  for (let index = 0; index < 11; index++) {
    const start = (index / 11) * 2 * Math.PI + 0.2 + random() * 0.2;
    const length = 0.16 + random() * 0.36;
    const off = random() * 46;
    const middle = start + length / 2;
    const [cos, sin] = [Math.cos(middle), Math.sin(middle)];
    context.save();
    context.translate(CENTRE.x + off * cos * 1.2 + r * cos, CENTRE.y + off * sin * 0.8 + r * sin);
    context.rotate((random() - 0.5) * 1.3);
    context.translate(-r * cos, -r * sin);
    for (const [width, colour] of [
      [15, membrane],
      [9, fill],
      [3, mix(fill, WHITE, 0.5)],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.beginPath();
      context.arc(0, 0, r, start, start + length);
      context.stroke();
    }
    context.restore();
    yield;
  }
}

function spilledOutline(): Path2D {
  const path = new Path2D();
  const steps = 240;
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI;
    const reach = 74 + 15 * Math.sin(7 * angle + 1) + 9 * Math.sin(11 * angle);
    path.lineTo(CENTRE.x + reach * Math.cos(angle), CENTRE.y + reach * Math.sin(angle));
  }
  path.closePath();
  return path;
}

function drawCrack(context: CanvasRenderingContext2D): void {
  const { x, y } = CENTRE;
  context.strokeStyle = '#0A1211';
  context.lineWidth = 6;
  context.lineJoin = 'round';
  context.beginPath();
  for (const [dx, dy] of [
    [-14, -50],
    [6, -22],
    [-10, -2],
    [12, 20],
    [-2, 50],
  ] as const) {
    context.lineTo(x + dx, y + dy);
  }
  context.stroke();
}
