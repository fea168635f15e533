/** Set when the page is built; a link that is not set is not shown. The server itself has some documentation. */
export const LINKS = {
  docs: address(import.meta.env.VITE_DOCS_URL) ?? '/docs',
  social: address(import.meta.env.VITE_SOCIAL_URL),
  chat: address(import.meta.env.VITE_CHAT_URL),
} as const;

function address(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
