import { baseUnits, formatExactAmount, parseAmount } from '@engulf/domain/money/amount';
import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { Lobby } from '@engulf/protocol/lobby';
import { RotateCcw } from 'lucide-react';
import { useCallback } from 'react';
import { ArtCanvas, usePictures } from '../../../art/art-canvas.tsx';
import { defaultAvatarUrl } from '../../../art/default-avatar.ts';
import { drawCell } from '../../../art/draw-cell.ts';
import { drawFood } from '../../../art/draw-food.ts';
import { drawPortal } from '../../../art/draw-portal.ts';
import { seededRandom } from '../../../art/paint.ts';
import { playerColours } from '../../../art/palette.ts';
import { countText } from '../../../shared/format.ts';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import { Button } from '../../../ui/button.tsx';
import { Amount } from '../../../ui/chip.tsx';
import { PopupActions } from '../../../ui/popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { EndFact, EndFacts, EndLead, EndPopup } from './end-popup.tsx';
import { FlexWinnings } from './flex-winnings.tsx';
import type { GameEnd } from './game-end.ts';
import type { Life } from './life-record.ts';
import { RecordLine } from './record-line.tsx';
import styles from './secured-popup.module.css';

const { secured } = ARENA_TEXT;

type SecuredPopupProps = {
  end: GameEnd & { kind: 'secured' };
  lobby: Lobby;
  life: Life;
  own: { id: string; name: string; avatarUrl: string | null; colour: number | null };
  onClose: () => void;
  onPlayAgain: () => void;
};

export function SecuredPopup({ end, lobby, life, own, onClose, onPlayAgain }: SecuredPopupProps) {
  const unit = lobbyUnit(lobby);
  const isFree = isFreeLobby(lobby);
  const { amount, multiplier } = parseRewardText(end.reward);
  const net = netOf(amount, lobby);
  const isLoss = net ? net.isLoss : Number(multiplier) < 1;
  return (
    <EndPopup
      title={secured.title}
      heading={<span className={styles.title}>{secured.title}</span>}
      tint="gold"
      widthPx={620}
      art={<ExitArt {...own} />}
      artTopPx={-362}
      textTopPx={150}
      onClose={onClose}
      onEnter={onPlayAgain}
    >
      <div className={styles.result}>
        {multiplier !== undefined && (
          <div className={styles.multiplier} data-gain={net?.isGain ?? false}>
            x{multiplier}
          </div>
        )}
        <div className={styles.profits}>
          {isLoss ? secured.saved : secured.profits}
          <b data-gain={net?.isGain ?? false}>
            {isLoss ? '' : '+'}
            {amount} <small>{unit}</small>
          </b>
          {net && <em data-gain={net.isGain}>{secured.net(net.text)}</em>}
          <span>{isFree ? ARENA_TEXT.playMoney : secured.lobby(lobby.name)}</span>
        </div>
      </div>
      <EndLead>{leadOf(end, isFree)}</EndLead>
      {isFree && multiplier !== undefined && (
        <p className={styles.wouldBe}>{secured.wouldBe(realBag(multiplier))}</p>
      )}
      <EndFacts>
        {end.usdValue !== null && (
          <EndFact label={secured.usdValue}>
            {isFree ? `${end.usdValue} ${ARENA_TEXT.playMoney}` : end.usdValue}
          </EndFact>
        )}
        {end.finalMass !== undefined && (
          <EndFact label={secured.finalMass}>{countText(Math.floor(end.finalMass))}</EndFact>
        )}
        <EndFact label={secured.entryFee}>
          {isFree ? secured.free : <Amount figure={lobby.fee} unit={unit} />}
        </EndFact>
      </EndFacts>
      <RecordLine isFree={isFree} life={life} />
      <PopupActions>
        <Button
          size="lg"
          variant={end.wasClosed ? 'primary' : 'neutral'}
          icon={<RotateCcw />}
          onClick={onPlayAgain}
        >
          {secured.playAgain}
        </Button>
        {!end.wasClosed && end.finalMass !== undefined && (
          <FlexWinnings end={end} lobby={lobby} own={own} isGain={net?.isGain ?? false} />
        )}
      </PopupActions>
    </EndPopup>
  );
}

const SOL = { symbol: 'SOL', decimals: 9 };

/** What a multiple of play money would have been with a stake of 0.05 SOL: '0.115'. */
function realBag(multiplier: string): string {
  const hundredths = BigInt(multiplier.replace('.', ''));
  return formatExactAmount(baseUnits(hundredths * 500_000n), SOL);
}

/** What the shown amount leaves after the entry fee; undefined where entry is free. */
export function netOf(
  amount: string,
  lobby: Pick<Lobby, 'entryFee' | 'tokenSymbol' | 'tokenDecimals'>,
): { readonly isGain: boolean; readonly isLoss: boolean; readonly text: string } | undefined {
  const token = { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals };
  const reward = parseAmount(amount, token);
  if (reward === undefined || isFreeLobby(lobby)) return undefined;
  const net = reward - BigInt(lobby.entryFee);
  const text = formatExactAmount(net < 0n ? -net : net, token);
  return { isGain: net > 0n, isLoss: net < 0n, text: `${net < 0n ? '−' : '+'}${text} ${token.symbol}` };
}

function leadOf({ wasClosed }: { wasClosed: boolean }, isFree: boolean): string {
  if (wasClosed) return secured.leadClosed;
  return isFree ? secured.leadFree : secured.lead;
}

const WIDTH_PX = 680;
const HEIGHT_PX = 760;
const CENTRE = { x: 340, y: 346 } as const;

/** The player's cell in the portal, under a shower of food. */
function ExitArt({ id, name, avatarUrl, colour }: SecuredPopupProps['own']) {
  const pictures = usePictures([avatarUrl ?? defaultAvatarUrl(name)]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const { x, y } = CENTRE;
      context.save();
      context.translate(x, y);
      drawPortal(context, 116, true);
      context.restore();
      const random = seededRandom(44);
      for (let index = 0; index < 64; index++) {
        const angle = -Math.PI * (0.02 + random() * 0.96);
        const reach = 150 + random() * 160;
        const px = x + reach * Math.cos(angle) * 1.15;
        drawFood(context, px, y + reach * Math.sin(angle) * 0.82, 3 + random() * 7, index % 20);
      }
      const image = pictures?.[0];
      drawCell(context, {
        x,
        y: y - 3,
        r: 72,
        colours: playerColours(id, colour),
        seed: 3,
        ...(image && { nucleus: { image, share: 0.56 } }),
      });
    },
    [pictures, id, colour],
  );
  return <ArtCanvas widthPx={WIDTH_PX} heightPx={HEIGHT_PX} draw={draw} />;
}
