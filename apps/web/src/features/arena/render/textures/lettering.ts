const DISPLAY = '"Bagel Fat One", "Arial Rounded MT Bold", system-ui, sans-serif';
const FIGURES = '"Onest Variable", Onest, system-ui, sans-serif';

export const BONE = '#F5F2E7';
const OUTLINE = 'rgba(6,11,10,.85)';

export function displayFont(px: number): string {
  return `400 ${px}px ${DISPLAY}`;
}

export function figureFont(px: number): string {
  return `700 ${px}px ${FIGURES}`;
}

/** Without its web font, canvas text silently uses a fallback, and textures would keep it. */
export async function loadLettering(): Promise<void> {
  await Promise.all([document.fonts.load(displayFont(20)), document.fonts.load(figureFont(20))]).catch(
    () => {},
  );
}

/** Outlined text, legible on every cell. */
export function drawOutlined(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  outlinePx: number,
): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = outlinePx;
  context.strokeStyle = OUTLINE;
  context.strokeText(text, x, y);
  context.fillStyle = BONE;
  context.fillText(text, x, y);
}

export type PillPart = {
  readonly text: string;
  readonly font: string;
  readonly colour: string;
  readonly fill?: string;
};

/** A dark pill with one or more parts side by side. */
export function drawPill(parts: readonly PillPart[], px: number, density: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  const widths = parts.map(({ text, font }) => {
    context.font = font;
    return context.measureText(text).width + px * 1.1;
  });
  const width = widths.reduce((sum, each) => sum + each, 0);
  const height = px * 1.75;
  const margin = 14;
  canvas.width = Math.ceil((width + 2 * margin) * density);
  canvas.height = Math.ceil((height + 2 * margin) * density);
  context.scale(density, density);
  context.save();
  context.shadowColor = 'rgba(0,0,0,.5)';
  context.shadowBlur = 10;
  context.fillStyle = '#0A1211';
  roundRect(context, margin - 3, margin - 3, width + 6, height + 6);
  context.restore();
  let left = margin;
  parts.forEach((part, index) => {
    const partWidth = widths[index]!;
    if (part.fill !== undefined) {
      context.fillStyle = part.fill;
      roundRect(context, left, margin, partWidth, height);
    }
    context.font = part.font;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = part.colour;
    context.fillText(part.text, left + partWidth / 2, margin + height / 2 + px * 0.04);
    left += partWidth;
  });
  return canvas;
}

function roundRect(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number) {
  context.beginPath();
  context.roundRect(x, y, width, height, height / 2);
  context.fill();
}
