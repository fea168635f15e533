import { z } from 'zod';

/*
 * On the wire a payload has no field names: an object is the list of its fields in the order of its schema, without
 * constants and without what is missing at the end. A choice between objects starts with the number of the chosen one.
 * To add a field, or to move one, changes the protocol's version.
 */

export type Packing = {
  readonly pack: (value: unknown) => unknown;
  /** Anything that `pack` never returns becomes something that the schema refuses. */
  readonly unpack: (packed: unknown) => unknown;
};

const AS_IT_IS: Packing = { pack: (value) => value, unpack: (packed) => packed };

export function packingOf(schema: unknown): Packing {
  if (schema instanceof z.ZodObject) return packingOfObject(schema);
  if (schema instanceof z.ZodArray) return packingOfList(packingOf(schema.element));
  if (schema instanceof z.ZodDiscriminatedUnion) return packingOfChoice(schema);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return packingOfOptional(packingOf(schema.unwrap()));
  }
  return AS_IT_IS;
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
    pack: (value) => {
      const packed = fields.map(({ name, packing }) => packing.pack((value as Fields)[name]));
      while (packed.length > 0 && packed.at(-1) === undefined) packed.pop();
      return packed;
    },
    unpack: (packed) => {
      if (!Array.isArray(packed)) return undefined;
      const value: Record<string, unknown> = { ...constants };
      fields.forEach(({ name, packing }, place) => {
        if (packed[place] !== undefined) value[name] = packing.unpack(packed[place]);
      });
      return value;
    },
  };
}

function packingOfList(entry: Packing): Packing {
  return {
    pack: (value) => (value as readonly unknown[]).map(entry.pack),
    unpack: (packed) => (Array.isArray(packed) ? packed.map(entry.unpack) : undefined),
  };
}

function packingOfChoice({ options, def: { discriminator } }: z.ZodDiscriminatedUnion): Packing {
  const packings = options.map((option) => packingOf(option));
  const choices = options.map((option) => (option as z.ZodObject).shape[discriminator]);
  const numbers = new Map(choices.map((choice, number) => [(choice as z.ZodLiteral).value, number]));
  return {
    pack: (value) => {
      const number = numbers.get((value as Fields)[discriminator] as string)!;
      return [number, ...(packings[number]!.pack(value) as unknown[])];
    },
    unpack: (packed) => {
      if (!Array.isArray(packed)) return undefined;
      const [number, ...fields] = packed as unknown[];
      return typeof number === 'number' ? packings[number]?.unpack(fields) : undefined;
    },
  };
}

function packingOfOptional(inner: Packing): Packing {
  const unlessMissing = (convert: (value: unknown) => unknown) => (value: unknown) =>
    value === null || value === undefined ? value : convert(value);
  return { pack: unlessMissing(inner.pack), unpack: unlessMissing(inner.unpack) };
}
