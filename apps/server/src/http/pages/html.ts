/** Markup that is safe to send: every text in it is escaped. */
export type Markup = { readonly markup: string };

type Value = string | number | Markup | readonly Markup[] | undefined;

/** Escapes what is put in, unless it is markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const markup = parts.map((part, index) => part + textOf(values[index])).join('');
  return { markup };
}

/** Only for markup of our own. */
export const trusted = (markup: string): Markup => ({ markup });

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
