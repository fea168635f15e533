import duck from '@engulf/card/avatars/duck.svg';
import egg from '@engulf/card/avatars/egg.svg';
import shark from '@engulf/card/avatars/shark.svg';
import { Ticket, UserRound, Wallet } from 'lucide-react';
import { useCallback } from 'react';
import { ArtCanvas, usePictures } from '../../art/art-canvas.tsx';
import { drawCell } from '../../art/draw-cell.ts';
import { drawFood } from '../../art/draw-food.ts';
import { cupOutline } from '../../art/membrane.ts';
import { PLAYER_COLOURS } from '../../art/palette.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './visitor-card.module.css';

/** The profile of a visitor. */
export function VisitorCard({ onConnect }: { onConnect: () => void }) {
  const facts = [
    [TEXT.profile.wallet, TEXT.nothing],
    [TEXT.profile.rank, TEXT.nothing],
    [TEXT.profile.multiplier, 'x1.00'],
  ] as const;
  return (
    <Panel className={styles.card}>
      <span className={styles.nobody}>
        <UserRound size={30} strokeWidth={2} />
      </span>
      <div>
        <h1 className={styles.pitch}>{TEXT.profile.pitch}</h1>
        <dl className={styles.facts}>
          <div>
            <dt className={styles.label}>{TEXT.profile.player}</dt>
            <dd className={styles.value}>{TEXT.profile.notConnected}</dd>
          </div>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className={styles.label}>{label}</dt>
              <dd className={styles.value}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Chase className={styles.chase} />
      <div className={styles.actions}>
        <Button variant="primary" size="lg" icon={<Wallet />} onClick={onConnect}>
          {TEXT.topBar.connectWallet}
        </Button>
        <Button icon={<Ticket />} disabled>
          {TEXT.profile.enterAccessCode}
        </Button>
      </div>
    </Panel>
  );
}

const FOOD = [
  [196, 40, 5, 3],
  [202, 104, 6, 8],
  [270, 44, 4, 12],
  [272, 104, 5, 16],
  [328, 98, 4, 1],
  [176, 96, 4, 6],
  [338, 34, 4, 9],
] as const;

/** Cells chasing each other. */
function Chase({ className }: { className?: string | undefined }) {
  const pictures = usePictures(PORTRAITS);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawChase(context, pictures ?? []),
    [pictures],
  );
  return <ArtCanvas className={className} widthPx={360} heightPx={140} draw={draw} />;
}

const PORTRAITS = [shark, egg, duck];

function drawChase(
  context: CanvasRenderingContext2D,
  [sharkImage, eggImage, duckImage]: readonly (HTMLImageElement | undefined)[],
): void {
  const hunter = { x: 98, y: 72, r: 50 };
  const prey = { x: 141, y: 62, r: 16 };
  drawCell(context, {
    ...hunter,
    colours: PLAYER_COLOURS[5],
    seed: 5,
    outline: cupOutline(hunter, prey, 5),
    ...(sharkImage && { nucleus: { image: sharkImage, share: 0.5, dx: -10, dy: 3 } }),
  });
  drawCell(context, { ...prey, colours: PLAYER_COLOURS[10], seed: 9 });
  const others = [
    { x: 236, y: 82, r: 30, colours: PLAYER_COLOURS[0], seed: 4, image: eggImage },
    { x: 306, y: 62, r: 22, colours: PLAYER_COLOURS[2], seed: 7, image: duckImage },
  ];
  for (const { image, ...cell } of others) {
    drawCell(context, { ...cell, ...(image && { nucleus: { image, share: 0.56 } }) });
  }
  for (const [x, y, r, colour] of FOOD) drawFood(context, x, y, r, colour);
}
