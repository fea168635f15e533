import type { Month } from '../../integrity/public-numbers.ts';
import { html } from './html.ts';
import type { Page } from './send-page.ts';

/** The rules, and how often somebody was looked at for breaking them. */
export function integrityPage(months: readonly Month[]): Page {
  const title = 'Fair play';
  const description = 'What is not allowed in paid matches, how it is found, and how often.';
  const rows = months.map(
    ({ month, opened, acted, dismissed }) =>
      html`<tr><td>${month}</td><td>${opened}</td><td>${acted}</td><td>${dismissed}</td></tr>`,
  );
  const body = html`<h1>${title}</h1>
<p class="lead">Everybody in a paid match plays for themselves, by hand, with what the page shows.</p>
<h2>Not allowed in paid matches</h2>
<ul>
<li>Playing together: sparing each other, feeding, giving a bounty away.</li>
<li>Several accounts of one person in the same match.</li>
<li>Programs that steer, and anything that shows more than the page.</li>
</ul>
<h2>How it is decided</h2>
<p>Every match is recorded. A program compares how people play with each other and puts forward what chance does not explain.
A person looks at the moments and decides; no program takes anything from anybody. Who is fed or followed by somebody else is
not put forward for it. What can follow: a warning, two accounts that do not get into the same match, payouts that wait, a ban.
Whoever is concerned can ask for another look.</p>
<p>You can report a player after a game, from the leaderboard of the arena and from a replay. A report makes sure that somebody
looks sooner, and nothing else. You are told what came of it.</p>
<h2>Cases</h2>
${
  rows.length === 0
    ? html`<p>There have been none in the months that are over.</p>`
    : html`<table><thead><tr><th>Month</th><th>Opened</th><th>Acted on</th><th>Dismissed</th></tr></thead><tbody>${rows}</tbody></table>`
}
<p><a class="button" href="/">Play Engulf</a></p>`;
  return { title, description, body };
}
