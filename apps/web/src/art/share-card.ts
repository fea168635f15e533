import { cardArt, wrapCard } from '@engulf/card/card-art';
import {
  CARD,
  CARD_PORTRAITS,
  type CardFacts,
  type CardText,
  layoutCard,
  type MeasureText,
} from '@engulf/card/card-layout';

const FONTS: { readonly [font in CardText['font']]: (sizePx: number) => string } = {
  display: (sizePx) => `400 ${sizePx}px "Bagel Fat One"`,
  text: (sizePx) => `600 ${sizePx}px "Onest Variable"`,
  bold: (sizePx) => `800 ${sizePx}px "Onest Variable"`,
};

/** The card as a PNG, as the server draws it. Only a preview: what is shared is drawn there. */
export async function drawShareCard(facts: CardFacts, portraitUrl: string): Promise<Blob> {
  const { width, height, pixelRatio } = CARD;
  const canvas = document.createElement('canvas');
  canvas.width = width * pixelRatio;
  canvas.height = height * pixelRatio;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas to draw on');
  const art = `data:image/svg+xml,${encodeURIComponent(wrapCard(cardArt(facts.colours), pixelRatio))}`;
  const [ground, portrait] = await Promise.all([loadPicture(art), loadPicture(portraitUrl), ...loadFonts()]);
  context.scale(pixelRatio, pixelRatio);
  context.drawImage(ground, 0, 0, width, height);
  for (const { x, y, r } of CARD_PORTRAITS) {
    context.save();
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.clip();
    context.drawImage(portrait, x - r, y - r, 2 * r, 2 * r);
    context.restore();
  }
  const measure: MeasureText = (text, font, sizePx) => {
    context.font = FONTS[font](sizePx);
    return context.measureText(text).width;
  };
  for (const { text, font, sizePx, x, y, colour } of layoutCard(facts, measure)) {
    context.font = FONTS[font](sizePx);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('the card could not be encoded');
  return blob;
}

const loadFonts = () => Object.values(FONTS).map((font) => document.fonts.load(font(32)));

async function loadPicture(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
