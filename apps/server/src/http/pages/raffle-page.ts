import type { AnswerOf } from '@engulf/protocol/http/call';
import type { readRaffleDay } from '@engulf/protocol/http/social';
import { html, type Markup } from './html.ts';
import type { Page } from './send-page.ts';

type RaffleFacts = AnswerOf<typeof readRaffleDay>;

/** How the winners of a day are drawn, and all that is needed to check it. */
export function rafflePage(facts: RaffleFacts): Page {
  const { day, drawnAt, slot, blockhash, winnersPerDay, entries, winners } = facts;
  const title = `The raffle of ${day}`;
  const places = winnersPerDay === 1 ? 'One wallet wins' : `${winnersPerDay} wallets win`;
  const body = html`<h1>${title}</h1>
<p class="lead">${places}. Nobody chooses who: a block of Solana does, which nobody knows before the list closes.</p>
<h2>How winners are drawn</h2>
<ol>${facts.rule.split(/(?<=\.) (?=[A-Z])/).map((sentence) => html`<li>${sentence}</li>`)}</ol>
<h2>The block</h2>
${
  drawnAt === null
    ? html`<p>It has not been drawn yet.</p>`
    : html`<table><tbody>
<tr><th>Drawn</th><td>${drawnAt}</td></tr>
<tr><th>Slot</th><td>${slot ?? 'none: nobody had entered'}</td></tr>
<tr><th>Blockhash</th><td><code>${blockhash ?? 'none'}</code></td></tr>
</tbody></table>`
}
<h2>${winners.length === 1 ? 'Winner' : 'Winners'}</h2>
${walletList(winners, drawnAt === null ? 'Not known yet.' : 'Nobody had entered.')}
<h2>Everybody who entered</h2>
${walletList(entries, 'Nobody so far.')}
<p>For programs: <a href="/api/raffle/${day}">the same as JSON</a>.</p>
<p><a class="button" href="/">Play Engulf</a></p>`;
  return { title, description: `Who entered the raffle of ${day}, and how its winners are drawn.`, body };
}

function walletList(wallets: readonly string[], none: string): Markup {
  if (wallets.length === 0) return html`<p>${none}</p>`;
  return html`<ul>${wallets.map((wallet) => html`<li><code>${wallet}</code></li>`)}</ul>`;
}
