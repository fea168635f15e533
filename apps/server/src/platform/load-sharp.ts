type Sharp = typeof import('sharp').default;

let loaded: Promise<Sharp> | undefined;

/**
 * Loaded when the first picture arrives. Only these decoders may run: two for what users upload, whose type is checked by
 * its bytes before, and one for the SVG that we write ourselves.
 */
export function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadSvg'] });
    return sharp;
  });
  return loaded;
}
