import type { Page } from '@playwright/test';

/** A square picture that the browser itself draws: a PNG file with a face. */
export async function drawPicture(page: Page, sidePx: number): Promise<Buffer> {
  const dataUrl = await page.evaluate((side) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
    const context = canvas.getContext('2d')!;
    const fill = (colour: string, ...[x, y, r]: [number, number, number]) => {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(x * side, y * side, r * side, 0, Math.PI * 2);
      context.fill();
    };
    context.fillStyle = '#2b4bff';
    context.fillRect(0, 0, side, side);
    fill('#ffd93b', 0.5, 0.5, 0.4);
    for (const x of [0.36, 0.64]) fill('#10201c', x, 0.42, 0.06);
    context.fillRect(side * 0.34, side * 0.62, side * 0.32, side * 0.05);
    return canvas.toDataURL('image/png');
  }, sidePx);
  return Buffer.from(dataUrl.split(',')[1]!, 'base64');
}
