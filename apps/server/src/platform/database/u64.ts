import { customType } from 'drizzle-orm/pg-core';

/** A u64 does not fit PostgreSQL's signed bigint, so amounts are numerics without decimals. */
export const u64 = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(20, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
});

/** A sum of u64s that may be negative. */
export const balance = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(30, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
});

/** Micro-dollars: a u64 of tokens times a price can be longer than a u64. */
export const usd = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(40, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
});
