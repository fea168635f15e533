import { LOGO_CUP, LOGO_LETTERS, LOGO_VIEW_BOX } from '@engulf/card/logo';
import { TEXT } from '../shared/text.ts';

/** The one glyph that is not from the icon set. */
export function XGlyph() {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M17.75 3h3.07l-6.7 7.66L22 21h-6.17l-4.83-6.32L5.46 21H2.39l7.17-8.2L2 3h6.33l4.37 5.77zm-1.08 16.2h1.7L7.4 4.7H5.58z" />
    </svg>
  );
}

/** The wordmark, whose u is a membrane closing on a cell. The letters inherit the text colour. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox={LOGO_VIEW_BOX} role="img" aria-label={TEXT.productName}>
      {LOGO_LETTERS.map(([x, d]) => (
        <path key={x} fill="currentColor" transform={`translate(${x} 0)`} d={d} />
      ))}
      <g transform="translate(159.7 0)">
        <path fill="#FF6F91" d={LOGO_CUP} />
        <circle cx="35" cy="-45.5" r="12.6" fill="#FFD93B" />
        <circle cx="38" cy="-48.5" r="4.2" fill="#E39A12" />
      </g>
    </svg>
  );
}
