import type { CardFacts } from '@engulf/card/card-layout';
import { parseRewardText } from '@engulf/domain/money/reward-text';
import type { Lobby } from '@engulf/protocol/lobby';
import { Share2 } from 'lucide-react';
import { defaultAvatarUrl } from '../../../art/default-avatar.ts';
import { playerColours } from '../../../art/palette.ts';
import { drawShareCard } from '../../../art/share-card.ts';
import { countText } from '../../../shared/format.ts';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import { TEXT } from '../../../shared/text.ts';
import { Button } from '../../../ui/button.tsx';
import { SharePopup } from '../../../ui/share-popup.tsx';
import { useShare } from '../../../ui/use-share.ts';
import { ARENA_TEXT } from '../text.ts';
import type { GameEnd } from './game-end.ts';

type FlexWinningsProps = {
  end: GameEnd & { kind: 'secured' };
  lobby: Lobby;
  own: { id: string; name: string; avatarUrl: string | null; colour: number | null };
  isGain: boolean;
};

export function FlexWinnings({ end, lobby, own, isGain }: FlexWinningsProps) {
  const { isSharing, shared, share, close } = useShare();
  const flex = () =>
    share(async () => {
      const facts = previewFacts(end, lobby, own, isGain);
      return { preview: await drawShareCard(facts, own.avatarUrl ?? defaultAvatarUrl(own.name)) };
    });
  return (
    <>
      <Button size="lg" variant="primary" icon={<Share2 />} isBusy={isSharing} onClick={flex}>
        {isSharing ? TEXT.share.wait : TEXT.share.flex}
      </Button>
      {shared && <SharePopup card={shared} onClose={close} />}
    </>
  );
}

function previewFacts(
  end: FlexWinningsProps['end'],
  lobby: Lobby,
  own: FlexWinningsProps['own'],
  isGain: boolean,
): CardFacts {
  const { amount, multiplier } = parseRewardText(end.reward);
  const unit = lobbyUnit(lobby);
  const isFree = isFreeLobby(lobby);
  return {
    playerName: own.name,
    lobbyName: lobby.name,
    multiplier: multiplier ?? '',
    amount: `${amount} ${unit}`,
    worth: isFree ? ARENA_TEXT.playMoney : end.usdValue,
    entryFee: isFree ? ARENA_TEXT.secured.free : `${lobby.fee} ${unit}`,
    finalMass: countText(Math.floor(end.finalMass ?? 0)),
    isGain,
    colours: playerColours(own.id, own.colour),
  };
}
