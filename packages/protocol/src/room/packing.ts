import { z } from 'zod';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { isHexBytes } from './hex-bytes.ts';

/*
 * How a room writes its payloads into bytes. The schema says what comes next, so neither names nor types are written: an
 * object is its fields in the order of the schema, without constants; a list is its length and its entries; a choice is
 * the number of the option and then the option. To add a field, or to move one, changes the protocol's version.
 */

export type Packing = {
  write(to: ByteWriter, value: unknown): void;
  read(from: ByteReader): unknown;
};

export function packingOf(schema: unknown): Packing {
  if (schema instanceof z.ZodObject) return packingOfObject(schema);
  if (schema instanceof z.ZodArray) return packingOfList(packingOf(schema.element));
  if (schema instanceof z.ZodTuple) return packingOfTuple(schema.def.items.map(packingOf));
  // Before the plain union, of which it is a kind.
  if (schema instanceof z.ZodDiscriminatedUnion) return packingOfTagged(schema);
  if (schema instanceof z.ZodUnion) return packingOfUnion(schema.options as readonly z.ZodType[]);
  if (schema instanceof z.ZodNullable) return packingOfMissing(packingOf(schema.unwrap()), null);
  if (schema instanceof z.ZodOptional) return packingOfMissing(packingOf(schema.unwrap()), undefined);
  if (schema instanceof z.ZodEnum) return packingOfEnum(schema.options);
  if (schema instanceof z.ZodBoolean) return BOOLEAN;
  if (isHexBytes(schema)) return HEX;
  if (schema instanceof z.ZodString) return TEXT;
  if (schema instanceof z.ZodNumber) return isWhole(schema) ? WHOLE : NUMBER;
  throw new Error('There is no packing for this kind of schema');
}

const TEXT: Packing = {
  write: (to, value) => to.text(value as string),
  read: (from) => from.text(),
};
/** Latin text would take twice as much. */
const HEX: Packing = {
  write: (to, value) => {
    const digits = value as string;
    to.whole(digits.length / 2);
    for (let at = 0; at < digits.length; at += 2) to.byte(Number.parseInt(digits.slice(at, at + 2), 16));
  },
  read: (from) => {
    let digits = '';
    for (let left = from.whole(); left > 0; left--) digits += from.byte().toString(16).padStart(2, '0');
    return digits;
  },
};
/** Zero or more. */
const WHOLE: Packing = {
  write: (to, value) => to.whole(value as number),
  read: (from) => from.whole(),
};
const NUMBER: Packing = {
  write: (to, value) => to.number(value as number),
  read: (from) => from.number(),
};
const BOOLEAN: Packing = {
  write: (to, value) => to.whole(value ? 1 : 0),
  read: (from) => from.whole() === 1,
};

function isWhole({ isInt, minValue }: z.ZodNumber): boolean {
  return isInt && minValue !== null && minValue >= 0;
}

type Fields = Readonly<Record<string, unknown>>;

function packingOfObject({ shape }: z.ZodObject): Packing {
  const schemas = Object.entries(shape);
  const constants = Object.fromEntries(
    schemas.flatMap(([name, schema]) => (schema instanceof z.ZodLiteral ? [[name, schema.value]] : [])),
  );
  const fields = schemas
    .filter(([name]) => !(name in constants))
    .map(([name, schema]) => ({ name, packing: packingOf(schema) }));
  return {
    write: (to, value) => {
      for (const { name, packing } of fields) packing.write(to, (value as Fields)[name]);
    },
    read: (from) => {
      const value: Record<string, unknown> = { ...constants };
      for (const { name, packing } of fields) {
        const field = packing.read(from);
        if (field !== undefined) value[name] = field;
      }
      return value;
    },
  };
}

function packingOfList(entry: Packing): Packing {
  return {
    write: (to, value) => {
      const entries = value as readonly unknown[];
      to.whole(entries.length);
      for (const each of entries) entry.write(to, each);
    },
    read: (from) => {
      const entries: unknown[] = [];
      for (let left = from.whole(); left > 0; left--) entries.push(entry.read(from));
      return entries;
    },
  };
}

function packingOfTuple(items: readonly Packing[]): Packing {
  return {
    write: (to, value) => items.forEach((item, index) => void item.write(to, (value as unknown[])[index])),
    read: (from) => items.map((item) => item.read(from)),
  };
}

function packingOfTagged({ options, def: { discriminator } }: z.ZodDiscriminatedUnion): Packing {
  const packings = options.map(packingOf);
  const tags = options.map((option) => (option as z.ZodObject).shape[discriminator] as z.ZodLiteral);
  const numbers = new Map(tags.map((tag, number) => [tag.value, number]));
  return choiceOf(packings, (value) => numbers.get((value as Fields)[discriminator] as string)!);
}

function packingOfUnion(options: readonly z.ZodType[]): Packing {
  return choiceOf(options.map(packingOf), (value) =>
    options.findIndex((option) => option.safeParse(value).success),
  );
}

function choiceOf(packings: readonly Packing[], choose: (value: unknown) => number): Packing {
  return {
    write: (to, value) => {
      const number = choose(value);
      to.whole(number);
      packings[number]!.write(to, value);
    },
    read: (from) => packings[from.whole()]?.read(from),
  };
}

function packingOfMissing(inner: Packing, missing: null | undefined): Packing {
  return {
    write: (to, value) => {
      to.whole(value === missing ? 0 : 1);
      if (value !== missing) inner.write(to, value);
    },
    read: (from) => (from.whole() === 0 ? missing : inner.read(from)),
  };
}

function packingOfEnum(options: readonly (string | number)[]): Packing {
  return {
    write: (to, value) => to.whole(options.indexOf(value as string)),
    read: (from) => options[from.whole()],
  };
}
