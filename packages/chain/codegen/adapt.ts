import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Codama generates for a bundler; this project also runs its sources directly in Node, which only erases types. This
 * rewrites what differs, and fixes one mistake of the generator.
 */
export async function adaptClient(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const path = join(folder, name);
    const source = await readFile(path, 'utf8');
    const steps = [replaceEnums, replaceAngleAssertions, passProgramAddress, keepErrorTexts];
    const adapted = steps.reduce((text, step) => step(text), addExtensions(source, dirname(path)));
    await writeFile(path, adapted);
  }
}

function addExtensions(source: string, folder: string): string {
  return source.replace(/from "(\.[^"]*)"/g, (_, specifier: string) => {
    const isFile = existsSync(resolve(folder, `${specifier}.ts`));
    return `from "${specifier}${isFile ? '.ts' : '/index.ts'}"`;
  });
}

/** Enums are code, not types, so they cannot be erased. */
function replaceEnums(source: string): string {
  const names: string[] = [];
  const withoutEnums = source.replace(/export enum (\w+) \{([^}]*)\}/g, (_, name: string, body: string) => {
    names.push(name);
    const members = body.match(/\w+/g) ?? [];
    const entries = members.map((member, index) => `  ${member}: ${index},`);
    return [
      `export const ${name} = {`,
      ...entries,
      '} as const;',
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ].join('\n');
  });
  return names.reduce(
    (text, name) => text.replaceAll(new RegExp(`: (${name}\\.\\w+);`, 'g'), ': typeof $1;'),
    withoutEnums,
  );
}

/** Node refuses `<Type>{ … }`; the indentation tells where the object ends. */
function replaceAngleAssertions(source: string): string {
  return source.replace(/^( *)(\w+): <(\w+)>\{\n([\s\S]*?)\n\1\},$/gm, '$1$2: {\n$4\n$1} as $3,');
}

/**
 * Even for an instruction to another address, Codama derives missing accounts from the default program, and recognizes
 * an absent optional account only by the default program's address.
 */
function passProgramAddress(source: string): string {
  return source
    .replaceAll(
      /accountMeta\.address === \w+_PROGRAM_ADDRESS/g,
      'accountMeta.address === instruction.programAddress',
    )
    .replaceAll(/await find(\w+)Pda\(\)/g, 'await find$1Pda({ programAddress })')
    .replaceAll(/await find(\w+)Pda\(\{\n([^}]*)\}\);/g, 'await find$1Pda({\n$2}, { programAddress });');
}

/** The texts are shown to people in production too, and a browser has no `process`. */
function keepErrorTexts(source: string): string {
  return source.replaceAll('process.env.NODE_ENV !== "production"', 'true');
}
