/**
 * Runs in the page before its own scripts: software GL passes for a graphics card, so that the page draws with WebGL as it
 * does for players. It decides by the renderer's name. Must not refer to anything outside itself.
 */
export function pretendHardware(): void {
  const getContext = HTMLCanvasElement.prototype.getContext as (...args: unknown[]) => unknown;
  HTMLCanvasElement.prototype.getContext = function (this: unknown, kind: string, attributes?: object) {
    return getContext.call(this, kind, { ...attributes, failIfMajorPerformanceCaveat: false });
  } as typeof HTMLCanvasElement.prototype.getContext;
  const getParameter = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const unmaskedRenderer = 0x9246;
    return name === unmaskedRenderer ? 'a graphics card' : getParameter.call(this, name);
  };
}
