import type { Address, Instruction, TransactionSigner } from '@solana/kit';
import { findGlobalConfig } from '../accounts/pdas.ts';
import { findProgramData } from '../accounts/program-code.ts';
import { getInitializeGlobalConfigInstruction } from '../generated/instructions/initializeGlobalConfig.ts';
import { getSetPlatformFeeInstruction } from '../generated/instructions/setPlatformFee.ts';
import { getSetPlatformTreasuryInstruction } from '../generated/instructions/setPlatformTreasury.ts';
import { getSetSuperAdminInstruction } from '../generated/instructions/setSuperAdmin.ts';

/** The program refuses a higher one. */
export const MAX_PLATFORM_FEE_BASIS_POINTS = 2_000;

type PlatformRequest = { readonly programId: Address; readonly superAdmin: TransactionSigner };

export async function initializeInstruction(
  request: PlatformRequest & {
    readonly upgradeAuthority: TransactionSigner;
    readonly treasury: Address;
    readonly feeBasisPoints: number;
  },
): Promise<Instruction> {
  const { programId, superAdmin, upgradeAuthority, treasury, feeBasisPoints } = request;
  return getInitializeGlobalConfigInstruction(
    {
      globalConfig: await findGlobalConfig(programId),
      upgradeAuthority,
      superAdmin,
      platformTreasury: treasury,
      programData: await findProgramData(programId),
      platformFeeBasisPoints: feeBasisPoints,
    },
    { programAddress: programId },
  );
}

export async function setFeeInstruction({
  programId,
  superAdmin,
  feeBasisPoints,
}: PlatformRequest & { readonly feeBasisPoints: number }): Promise<Instruction> {
  const globalConfig = await findGlobalConfig(programId);
  return getSetPlatformFeeInstruction(
    { globalConfig, superAdmin, platformFeeBasisPoints: feeBasisPoints },
    { programAddress: programId },
  );
}

export async function setTreasuryInstruction({
  programId,
  superAdmin,
  treasury,
}: PlatformRequest & { readonly treasury: Address }): Promise<Instruction> {
  const globalConfig = await findGlobalConfig(programId);
  return getSetPlatformTreasuryInstruction(
    { globalConfig, superAdmin, platformTreasury: treasury },
    { programAddress: programId },
  );
}

/** Both keys sign, so the role cannot go to a key that nobody holds. */
export async function setSuperAdminInstruction({
  programId,
  superAdmin,
  newSuperAdmin,
}: PlatformRequest & { readonly newSuperAdmin: TransactionSigner }): Promise<Instruction> {
  const globalConfig = await findGlobalConfig(programId);
  return getSetSuperAdminInstruction(
    { globalConfig, superAdmin, newSuperAdmin },
    { programAddress: programId },
  );
}
