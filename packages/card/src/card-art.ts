import { CARD, CARD_PORTRAITS } from './card-layout.ts';
import { LOGO_VIEW_BOX, logoSvg } from './logo.ts';
import { type ColourPair, EOSIN } from './player-colours.ts';

/*
 * The picture behind the texts of a card, as SVG without text, fonts or anything from outside: a cell in its portal,
 * drawn by the numbers of the arena.
 */

const PORTAL = { x: 908, y: 268, r: 172 } as const;
const CELL_R = 114;
const FLAME = '#FF9330';
const CREAM = '#FFF1D6';

/** Wrapped by the caller, who adds portraits and texts. */
export function cardArt(colours: ColourPair = EOSIN): string {
  return [definitions(colours), ground(), food(), portal(), cell(colours), SHADES, logo()].join('');
}

export function wrapCard(content: string, pixelRatio: number): string {
  const { width, height } = CARD;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width * pixelRatio}" height="${
    height * pixelRatio
  }" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

const gradient = (id: string, circle: string, stops: readonly (readonly [number, string, number?])[]) =>
  `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" ${circle}>${stops
    .map(
      ([at, colour, opacity = 1]) =>
        `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('')}</radialGradient>`;

const around = (r: number) => `cx="${PORTAL.x}" cy="${PORTAL.y}" r="${r}"`;

const [NUCLEUS] = CARD_PORTRAITS;

const definitions = ([fill, membrane]: ColourPair) =>
  `<defs>${[
    gradient('lit', 'cx="912" cy="277" r="760"', [
      [0, '#26372B'],
      [1, '#0A1211'],
    ]),
    gradient('light', around(PORTAL.r * 2.5), [
      [0.2, FLAME, 0.5],
      [0.48, FLAME, 0.17],
      [1, FLAME, 0],
    ]),
    gradient('throat', around(PORTAL.r), [
      [0, '#FFF3DC'],
      [0.16, '#FFD28A'],
      [0.42, '#C3661A'],
      [0.8, '#2A1204'],
      [1, '#160A04'],
    ]),
    gradient('fire', around(PORTAL.r), [
      [0, '#FFFBF0'],
      [0.6, CREAM],
      [0.74, '#FFC867'],
      [0.9, FLAME],
      [1, '#EF872A'],
    ]),
    gradient('plasma', `cx="876" cy="225" r="${CELL_R * 1.15}"`, [
      [0, mix(fill, '#FFFFFF', 0.3)],
      [0.42, fill],
      [0.8, mix(fill, membrane, 0.45)],
      [1, mix(membrane, '#000000', 0.1)],
    ]),
    '<linearGradient id="left" x2="0.62"><stop stop-color="#0A1211" stop-opacity=".85"/><stop offset="1" stop-color="#0A1211" stop-opacity="0"/></linearGradient>',
    '<linearGradient id="foot" y2="1" x2="0"><stop stop-color="#060B0A" stop-opacity="0"/><stop offset="1" stop-color="#060B0A" stop-opacity=".9"/></linearGradient>',
    `<clipPath id="mouth"><circle ${around(PORTAL.r * 0.985)}/></clipPath>`,
  ].join('')}</defs>`;

const SHADES =
  '<rect width="1200" height="630" fill="url(#left)"/><rect y="440" width="1200" height="190" fill="url(#foot)"/>';

function ground(): string {
  const lines = [];
  for (let x = 10; x < CARD.width; x += 47.5) lines.push(`M${x} 0V${CARD.height}`);
  for (let y = 14; y < CARD.height; y += 47.5) lines.push(`M0 ${y}H${CARD.width}`);
  return `<rect width="1200" height="630" fill="#0A1211"/><rect width="1200" height="630" fill="url(#lit)"/><path d="${lines.join(
    '',
  )}" stroke="#D6E8DE" stroke-opacity=".055" fill="none"/>`;
}

const FOOD_COLOURS = ['#FF6F91', '#FFD93B', '#8EDB55', '#4FE08F', '#35D2C4', '#55B9FF', '#B79BFF', '#FF7A5C'];

/** Around the portal and clear of the texts. */
function food(): string {
  const random = seededRandom(19);
  const pieces = [];
  for (let index = 0; index < 46; index++) {
    const [x, y] = [660 + random() * 530, 10 + random() * 480];
    const r = 5 * Math.sqrt([1, 1, 2, 4][index % 4]!);
    const colour = FOOD_COLOURS[index % FOOD_COLOURS.length]!;
    if (Math.hypot(x - PORTAL.x, y - PORTAL.y) < PORTAL.r * 1.4) continue;
    pieces.push(
      disc(x, y, r * 1.65, colour, 0.16),
      disc(x, y, r, colour),
      disc(x + r * 0.12, y + r * 0.16, r * 0.42, '#060B0A', 0.35),
      disc(x - r * 0.36, y - r * 0.4, r * 0.2, '#FFFFFF', 0.55),
    );
  }
  return pieces.join('');
}

function portal(): string {
  const { x, y, r } = PORTAL;
  const ring = (reach: number, width: number, colour: string, rest = '') =>
    `<circle cx="${x}" cy="${y}" r="${fix(r * reach)}" fill="none" stroke="${colour}" stroke-width="${fix(r * width)}" ${rest}/>`;
  const dashes = (on: number, off: number) => `stroke-dasharray="${fix(r * on)} ${fix(r * off)}"`;
  return [
    `<circle ${around(r * 2.5)} fill="url(#light)"/><circle ${around(r)} fill="url(#throat)"/>`,
    `<g clip-path="url(#mouth)"><path d="${arms()}" fill="url(#fire)" fill-opacity=".92"/></g>`,
    ring(1.02, 0.085, FLAME),
    ring(1.02, 0.03, CREAM, 'stroke-opacity=".95"'),
    ring(1.2, 0.022, FLAME, `stroke-opacity=".8" ${dashes(0.34, 0.13)}`),
    ring(1.33, 0.014, FLAME, `stroke-opacity=".45" ${dashes(0.34, 0.26)}`),
    sparks(),
  ].join('');
}

const ARMS = 7;
const ARM_STEPS = 32;

function arms(): string {
  const at = (along: number, start: number) => {
    const reach = PORTAL.r * (1 - along) ** 1.15;
    const angle = start + along * 3.6;
    return `${fix(PORTAL.x + reach * Math.cos(angle))} ${fix(PORTAL.y + reach * Math.sin(angle))}`;
  };
  const paths = [];
  for (let arm = 0; arm < ARMS; arm++) {
    const start = (arm / ARMS) * 2 * Math.PI + 1.5;
    const points = [];
    for (let step = 0; step <= ARM_STEPS; step++) points.push(at(step / ARM_STEPS, start));
    for (let step = ARM_STEPS; step >= 0; step--)
      points.push(at(step / ARM_STEPS, start + 0.42 + (0.28 * step) / ARM_STEPS));
    paths.push(`M${points.join('L')}Z`);
  }
  return paths.join('');
}

function sparks(): string {
  const random = seededRandom(8);
  const pieces = [];
  for (let spark = 0; spark < 26; spark++) {
    const angle = random() * 2 * Math.PI;
    const reach = 1.1 + random() * 1.1;
    const size = PORTAL.r * (0.012 + random() * 0.026);
    const colour = random() < 0.4 ? CREAM : FLAME;
    const [x, y] = [
      PORTAL.x + PORTAL.r * reach * Math.cos(angle),
      PORTAL.y + PORTAL.r * reach * Math.sin(angle),
    ];
    const turn = ((angle + 1.9) * 180) / Math.PI;
    pieces.push(
      `<ellipse transform="translate(${fix(x)} ${fix(y)}) rotate(${fix(turn)})" rx="${fix(size * 3)}" ry="${fix(
        size * 0.8,
      )}" fill="${colour}" fill-opacity="${(0.85 * (1 - (reach - 1.1) / 1.3)).toFixed(2)}"/>`,
    );
  }
  return pieces.join('');
}

/** The cell, with a dark ground where its portrait goes. */
function cell([fill, membrane]: ColourPair): string {
  const { x, y } = NUCLEUS;
  const random = seededRandom(3);
  const bubbles = Array.from({ length: 9 }, () => {
    const [angle, reach] = [random() * 2 * Math.PI, CELL_R * (0.66 + random() * 0.2)];
    const r = fix(CELL_R * (0.04 + random() * 0.05));
    return `<circle cx="${fix(x + reach * Math.cos(angle))}" cy="${fix(y + reach * Math.sin(angle))}" r="${r}" fill="#FFFFFF" fill-opacity=".1" stroke="#FFFFFF" stroke-opacity=".3"/>`;
  });
  const ring = (r: number, width: number, colour: string) =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
  const shine = (from: number, to: number, width: number) => {
    const at = (angle: number) =>
      `${fix(x + CELL_R * 0.8 * Math.cos(angle))} ${fix(y + CELL_R * 0.8 * Math.sin(angle))}`;
    const [r, side] = [fix(CELL_R * 0.8), 'stroke="#FFFFFF" stroke-opacity=".42" stroke-linecap="round"'];
    return `<path d="M${at(from)}A${r} ${r} 0 0 1 ${at(to)}" fill="none" stroke-width="${width}" ${side}/>`;
  };
  return [
    disc(x, y, CELL_R, 'url(#plasma)'),
    ...bubbles,
    ring(CELL_R - 4, 8, membrane),
    ring(CELL_R - 2.2, 4.4, mix(fill, '#FFFFFF', 0.22)),
    ring(CELL_R - 1.2, 2.4, mix(fill, membrane, 0.6)),
    shine(3.55, 4.45, 8),
    shine(4.68, 4.8, 6.5),
    disc(x, y, NUCLEUS.r + 3.5, mix(membrane, '#000000', 0.55), 0.9),
  ].join('');
}

const logo = () =>
  `<svg x="60" y="51" width="172" height="58" viewBox="${LOGO_VIEW_BOX}">${logoSvg('#F4F2E8')}</svg>`;

function disc(x: number, y: number, r: number, fill: string, opacity = 1): string {
  return `<circle cx="${fix(x)}" cy="${fix(y)}" r="${fix(r)}" fill="${fill}" fill-opacity="${opacity}"/>`;
}

/** Two hex colours, by the share of the second. */
function mix(a: string, b: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [a, b].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(from! + (to! - from!) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

const fix = (value: number): string => value.toFixed(1);

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
