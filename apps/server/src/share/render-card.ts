import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cardArt, wrapCard } from '@engulf/card/card-art';
import { CARD, CARD_PORTRAITS, type CardFacts, type CardText, layoutCard } from '@engulf/card/card-layout';
import { type InviteCardFacts, layoutInviteCard } from '@engulf/card/invite-card';
import { layoutMatchCard, type MatchCardFacts } from '@engulf/card/match-card';
import { portraitOf } from '@engulf/card/portrait';
import { loadSharp } from '../platform/load-sharp.ts';
import { loadCardFonts } from './card-fonts.ts';

/** A card takes about half a second of a core, which the matches need more. */
const MAX_AT_ONCE = 2;
let running = 0;

/**
 * Draws a card as a PNG. `avatar` is the PNG that the player uploaded, if any. The same facts give the same bytes.
 * Undefined while enough others are being drawn.
 */
export function renderCard(
  facts: CardFacts,
  avatar: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  return unlessBusy(() => drawCard(facts, avatar));
}

/** The card of a whole match, in the size that other sites ask for. Undefined while enough others are being drawn. */
export function renderMatchCard(facts: MatchCardFacts): Promise<Uint8Array | undefined> {
  return unlessBusy(() => drawMatchCard(facts));
}

/** The card of an invitation into a lobby. Undefined while enough others are being drawn. */
export function renderInviteCard(facts: InviteCardFacts): Promise<Uint8Array | undefined> {
  return unlessBusy(async () =>
    drawWide(facts.lobbyName, layoutInviteCard(facts, (await loadCardFonts()).measure)),
  );
}

async function unlessBusy(draw: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  if (running >= MAX_AT_ONCE) return undefined;
  running++;
  try {
    return await draw();
  } finally {
    running--;
  }
}

async function drawCard(facts: CardFacts, avatar: Uint8Array | undefined): Promise<Uint8Array> {
  const [sharp, fonts] = [await loadSharp(), await loadCardFonts()];
  const portrait = avatar ? pngPortrait(avatar) : await defaultPortrait(facts.playerName);
  const svg = wrapCard(
    [
      cardArt(facts.colours),
      ...CARD_PORTRAITS.map((circle, index) => placePortrait(portrait, circle, index)),
      ...layoutCard(facts, fonts.measure).map(fonts.outline),
    ].join(''),
    CARD.pixelRatio,
  );
  return sharp(Buffer.from(svg)).flatten({ background: '#0A1211' }).png().toBuffer();
}

async function drawMatchCard(facts: MatchCardFacts): Promise<Uint8Array> {
  const { measure } = await loadCardFonts();
  return drawWide(facts.bestPlayer ?? facts.lobbyName, layoutMatchCard(facts, measure));
}

async function drawWide(face: string, texts: readonly CardText[]): Promise<Uint8Array> {
  const [sharp, fonts] = [await loadSharp(), await loadCardFonts()];
  const portrait = await defaultPortrait(face);
  const content = [cardArt(), placePortrait(portrait, CARD_PORTRAITS[0], 0), ...texts.map(fonts.outline)];
  const svg = wrapCard(content.join(''), 1);
  return sharp(Buffer.from(svg)).flatten({ background: '#0A1211' }).png().toBuffer();
}

function placePortrait(
  portrait: string,
  { x, y, r }: { readonly x: number; readonly y: number; readonly r: number },
  index: number,
): string {
  const clip = `<clipPath id="portrait-${index}"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath>`;
  const picture = `<svg x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" viewBox="0 0 64 64">${portrait}</svg>`;
  return `${clip}<g clip-path="url(#portrait-${index})">${picture}</g>`;
}

function pngPortrait(bytes: Uint8Array): string {
  const data = Buffer.from(bytes).toString('base64');
  return `<image width="64" height="64" href="data:image/png;base64,${data}"/>`;
}

async function defaultPortrait(playerName: string): Promise<string> {
  const file = import.meta.resolve(`@engulf/card/avatars/${portraitOf(playerName)}.svg`);
  const svg = await readFile(fileURLToPath(file), 'utf8');
  return svg.replace(/^\s*<svg[^>]*>|<\/svg>\s*$/g, '');
}
