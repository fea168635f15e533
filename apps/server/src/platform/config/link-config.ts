import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).optional();

/** Where the page leads to. */
export const linkVariables = z.object({
  DOCS_URL: address,
  SOCIAL_URL: address,
  CHAT_URL: address,
  EXPLORER_URL: z.string().includes('{signature}').optional(),
  EXPLORER_ACCOUNT_URL: z.string().startsWith('http').includes('{address}').optional(),
});

const EXAMPLES = { social: 'https://x.com/engulf', chat: 'https://t.me/engulf' } as const;

const EXPLORER = 'https://explorer.solana.com';

type LinkVariables = z.output<typeof linkVariables> & {
  readonly NODE_ENV: string;
  readonly SOLANA_RPC_URL?: readonly string[] | undefined;
};

export function shapeLinks(read: LinkVariables) {
  const examples = read.NODE_ENV === 'production' ? undefined : EXAMPLES;
  // No explorer reaches the embedded chain.
  const explorer = read.SOLANA_RPC_URL === undefined ? undefined : EXPLORER;
  return {
    /** Null for what is not shown. */
    links: {
      docs: read.DOCS_URL ?? '/docs',
      social: read.SOCIAL_URL ?? examples?.social ?? null,
      chat: read.CHAT_URL ?? examples?.chat ?? null,
    },
    explorerUrl: read.EXPLORER_URL ?? (explorer ? `${explorer}/tx/{signature}` : null),
    explorerAccountUrl: read.EXPLORER_ACCOUNT_URL ?? (explorer ? `${explorer}/address/{address}` : null),
  };
}
