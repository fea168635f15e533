import { createHash } from 'node:crypto';

/** The parts of Anchor's IDL (specification 0.1.0) that the arena uses. */
export type AnchorIdl = {
  address: string;
  metadata: { name: string; version: string; spec: '0.1.0'; description: string };
  instructions: AnchorInstruction[];
  accounts: { name: string; discriminator: number[] }[];
  errors: { code: number; name: string; msg: string }[];
  types: { name: string; docs: string[]; type: { kind: 'struct'; fields: AnchorField[] } }[];
};

export type AnchorInstruction = {
  name: string;
  docs: string[];
  discriminator: number[];
  accounts: AnchorAccount[];
  args: AnchorField[];
};

export type AnchorAccount = {
  name: string;
  docs?: string[];
  writable?: true;
  signer?: true;
  optional?: true;
  address?: string;
  pda?: { seeds: AnchorSeed[] };
};

type AnchorSeed = { kind: 'const'; value: number[] } | { kind: 'arg'; path: string };

export type AnchorField = {
  name: string;
  docs?: string[];
  type: 'bool' | 'u8' | 'u16' | 'u64' | 'pubkey' | { vec: 'u64' } | { array: ['u8', number] };
};

/** How Anchor tells instructions apart: the first 8 bytes of sha256("global:<snake_case_name>"). */
export const instructionDiscriminator = (name: string): number[] => firstEightBytes(`global:${name}`);

/** How Anchor tells account types apart: the first 8 bytes of sha256("account:<PascalCaseName>"). */
export const accountDiscriminator = (name: string): number[] => firstEightBytes(`account:${name}`);

export const textSeed = (text: string): AnchorSeed => ({
  kind: 'const',
  value: [...new TextEncoder().encode(text)],
});

function firstEightBytes(text: string): number[] {
  return [...createHash('sha256').update(text).digest().subarray(0, 8)];
}
