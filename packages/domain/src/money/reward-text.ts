import { formatAmount, type Token } from './amount.ts';
import { multiplierText } from './multiplier.ts';

/** What a player's reward reads like on the wire and on screen: '0.618(x6.18)'. */
export function rewardText(reward: bigint, token: Token, basis: bigint): string {
  return `${formatAmount(reward, token)}(x${multiplierText(reward, basis)})`;
}

/** Takes a reward text apart; the multiplier, when the text ends with one, is what the badge shows. */
export function parseRewardText(text: string): { amount: string; multiplier?: string } {
  const match = /^(.*?)\s*\(x(\d+(?:\.\d+)?)\)$/s.exec(text);
  if (!match) return { amount: text };
  return { amount: match[1]!, multiplier: match[2]! };
}
