/** Characters that could break a line, or turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

type Shown = {
  readonly origin: string;
  readonly wallet: string;
  readonly name: string;
  readonly command: string;
  readonly lines: readonly string[];
  readonly reason: string;
  readonly nonce: string;
  readonly expiresAt: Date;
};

/**
 * What the wallet signs: who changes what, why, where and until when it counts. Names of players are in it, so that every value
 * stays on its own line: nobody can be called "… Nonce: …" on a line of its own.
 */
export function changeText(shown: Shown): string {
  return [
    `${oneLine(shown.origin)}: I make this change as ${oneLine(shown.name)}.`,
    shown.wallet,
    '',
    `Command: ${oneLine(shown.command)}`,
    'What changes:',
    ...shown.lines.map((line) => `- ${oneLine(line)}`),
    `Why: ${oneLine(shown.reason)}`,
    '',
    `Nonce: ${shown.nonce}`,
    `Sign before: ${shown.expiresAt.toISOString()}`,
    'This sends no transaction and costs nothing.',
  ].join('\n');
}

export function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ');
}
