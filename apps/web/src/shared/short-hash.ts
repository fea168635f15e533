/** An address or a signature, cut to what people compare: '7xKq…9fWd'. */
export function shortHash(text: string): string {
  return text.length <= 9 ? text : `${text.slice(0, 4)}…${text.slice(-4)}`;
}
