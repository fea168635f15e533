/** The two pages of the X that developers get: consent, and one button for an action. */

export function consentPage(query: Readonly<Record<string, string>>, username: string): string {
  return page(
    'Authorize Engulf?',
    `<p>This server plays X, because none is configured. Choose the name of an account that you want to be.</p>
    <form method="post" action="/dev/x/i/oauth2/authorize">
      ${hiddenFields(query)}
      <label>Account name <input name="username" value="${escapeHtml(username)}" required pattern="\\w{1,15}"></label>
      <button name="decision" value="allow">Authorize app</button>
      <button name="decision" value="deny" formnovalidate>Cancel</button>
    </form>`,
  );
}

export function actionPage(
  { action, target }: { readonly action: string; readonly target: string },
  username: string,
  isDone: boolean,
): string {
  const label = ACTION_LABELS[action] ?? action;
  return page(
    `${label}: ${target}`,
    isDone
      ? `<p role="status">Done as @${escapeHtml(username)}. You can close this tab.</p>`
      : `<form method="post" action="/dev/x/intent/${escapeHtml(action)}">
      <input type="hidden" name="target" value="${escapeHtml(target)}">
      <label>Account name <input name="username" value="${escapeHtml(username)}" required pattern="\\w{1,15}"></label>
      <button>${escapeHtml(label)}</button>
    </form>`,
  );
}

const ACTION_LABELS: Readonly<Record<string, string>> = { like: 'Like', retweet: 'Repost', follow: 'Follow' };

function hiddenFields(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Development X</title><style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  form { display: grid; gap: 0.75rem; } label { display: grid; gap: 0.25rem; }
  input, button { font: inherit; padding: 0.6rem; }
  </style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
