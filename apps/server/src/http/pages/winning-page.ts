import { CARD, type CardFacts } from '@engulf/card/card-layout';
import { html } from './html.ts';
import type { Page } from './send-page.ts';

/** The public page of a shared cash-out. */
export function winningPage(facts: CardFacts, { url, imageUrl }: { url: string; imageUrl: string }): Page {
  const { playerName, lobbyName, multiplier, amount, worth, isGain } = facts;
  const isLoss = Number(multiplier) < 1;
  const title = isLoss
    ? `${playerName} got out with x${multiplier}`
    : `${playerName} left with x${multiplier}`;
  const sum = `${isLoss ? '' : '+'}${amount}${worth === null ? '' : ` (${worth})`}`;
  const how = isLoss ? 'less than the entry fee, out' : 'out';
  const description = `${sum}, ${how} through the portal in ${lobbyName}.`;
  const image = {
    url: imageUrl,
    alt: `${title}: ${description}`,
    width: CARD.width * CARD.pixelRatio,
    height: CARD.height * CARD.pixelRatio,
  };
  const body = html`<h1>${title}</h1>
<p class="lead"><span class="${isGain ? 'gain' : ''}">${sum}</span>, ${how} through the portal in ${lobbyName}.</p>
<img class="card" src="${new URL(imageUrl).pathname}" alt="${image.alt}" width="1200" height="630">
<p><a class="button" href="/">Play Engulf</a></p>`;
  return { title, description, preview: { url, image }, body };
}
