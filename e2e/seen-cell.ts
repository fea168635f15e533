import type { Page } from '@playwright/test';
import sharp from 'sharp';

type Rgb = readonly [red: number, green: number, blue: number];
type Pixel = readonly [x: number, y: number];

/** How far a pixel may be from its colour, in each channel. */
const NEAR = 24;
const CHANNELS = 3;

/** How many pixels a page shows of the cell of one colour, and how many of another colour lie on it. */
export async function seeCell(page: Page, colour: Rgb, above: Rgb) {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixelsOf = (asked: Rgb) => {
    const found: Pixel[] = [];
    for (let at = 0; at < data.length; at += CHANNELS) {
      const isNear = asked.every((value, channel) => Math.abs(data[at + channel]! - value) <= NEAR);
      if (isNear) found.push([(at / CHANNELS) % info.width, Math.floor(at / CHANNELS / info.width)]);
    }
    return found;
  };
  const body = pixelsOf(colour);
  // Food of the same colour does not move the medians.
  const [x, y] = [median(body.map(([left]) => left)), median(body.map(([, top]) => top))];
  // The portrait hides as much again of the cell, and what is above its edge is seen as well.
  const radius = 1.6 * Math.sqrt((2 * body.length) / Math.PI);
  const isOn = ([left, top]: Pixel) => Math.hypot(left - x, top - y) < radius;
  return { pixels: body.length, onIt: pixelsOf(above).filter(isOn).length };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
