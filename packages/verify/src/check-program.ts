import { type ProgramCode, RELEASED_CODE } from '@engulf/chain/accounts/program-code';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { ChainFacts } from './chain-facts.ts';
import type { Finding } from './checks.ts';
import { isForMoney } from './match-money.ts';

/** Whether the program that holds the pools is the one of this release, and who could replace it. */
export function checkProgram(match: PublicMatch, chain: ChainFacts | undefined): Finding {
  if (!isForMoney(match)) return { fits: 'no program held money' };
  const code = chain?.program;
  if (!code) return { fits: 'not checked', open: ['the node does not show the program that holds the pool'] };
  const notes = [powerOver(code), ...whenDeployed(code, match)];
  if (code.sha256 === RELEASED_CODE.sha256) {
    return { fits: `the program is the one of this release (SHA-256 ${code.sha256})`, notes };
  }
  const other = `the program on the chain (SHA-256 ${code.sha256}) is not the one of this release (${RELEASED_CODE.sha256}): it may be of another release, compare it with that one`;
  return { fits: 'not checked', open: [other], notes };
}

function powerOver({ upgradeAuthority }: ProgramCode): string {
  return upgradeAuthority === null
    ? 'nobody can replace the program'
    : `${upgradeAuthority} can replace the program`;
}

function whenDeployed({ deployedSlot }: ProgramCode, { block }: PublicMatch): string[] {
  if (!block || deployedSlot <= BigInt(block.slot)) return [];
  return [
    `the program was deployed in slot ${deployedSlot}, after this match began: before that it may have been another`,
  ];
}
