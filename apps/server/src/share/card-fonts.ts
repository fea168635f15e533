import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CardText, MeasureText } from '@engulf/card/card-layout';
import opentype from 'opentype.js';

/*
 * Texts become outlines here, so that a card looks the same whatever fonts the machine has.
 */

export type CardFonts = {
  readonly measure: MeasureText;
  /** The text as an SVG path. */
  outline(text: CardText): string;
};

const FILES = {
  display: '@fontsource/bagel-fat-one/files/bagel-fat-one-latin-400-normal.woff',
  text: '@fontsource/onest/files/onest-latin-600-normal.woff',
  bold: '@fontsource/onest/files/onest-latin-800-normal.woff',
} as const;

let loaded: Promise<CardFonts> | undefined;

export function loadCardFonts(): Promise<CardFonts> {
  loaded ??= readFonts();
  return loaded;
}

async function readFonts(): Promise<CardFonts> {
  const [display, text, bold] = await Promise.all([
    readFont(FILES.display),
    readFont(FILES.text),
    readFont(FILES.bold),
  ]);
  const fonts = { display, text, bold };
  return {
    measure: (text, font, sizePx) => fonts[font].getAdvanceWidth(printable(fonts[font], text), sizePx),
    outline: ({ text, font, sizePx, x, y, colour }) => {
      const { commands } = fonts[font].getPath(printable(fonts[font], text), x, y, sizePx);
      return `<path fill="${colour}" d="${commands.map(commandText).join('')}"/>`;
    },
  };
}

async function readFont(file: string): Promise<opentype.Font> {
  const bytes = await readFile(fileURLToPath(import.meta.resolve(file)));
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** The library's own path text contains NaN where a number is very small. */
function commandText(command: opentype.PathCommand): string {
  const { type, ...points } = command;
  const { x1, y1, x2, y2, x, y } = points as { [name: string]: number | undefined };
  const numbers = [x1, y1, x2, y2, x, y].filter((value) => value !== undefined);
  return `${type}${numbers.map((value) => value.toFixed(2)).join(' ')}`;
}

/** A lobby may have any name; what the font does not know becomes a question mark. */
function printable(font: opentype.Font, text: string): string {
  return [...text].map((character) => (font.charToGlyphIndex(character) === 0 ? '?' : character)).join('');
}
