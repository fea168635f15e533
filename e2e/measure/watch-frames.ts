/**
 * Runs in the page before its own scripts: times every animation frame together with the messages handled since the one
 * before, and counts long tasks and draw calls. Must not refer to anything outside itself.
 */
export function watchFrames({ renderer }: { renderer: string }): void {
  const frameMs: number[] = [];
  const longTasks: number[] = [];
  let messageMs = 0;
  let drawCalls = 0;
  let uploadedBytes = 0;
  let frames = 0;
  let frameTime: number | undefined;
  let isPaused = false;

  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      const startedMs = performance.now();
      callback(time);
      const tookMs = performance.now() - startedMs + messageMs;
      messageMs = 0;
      if (isPaused) return;
      // Several callbacks may belong to one frame.
      if (time === frameTime) frameMs[frameMs.length - 1]! += tookMs;
      else {
        frameMs.push(tookMs);
        frames++;
      }
      frameTime = time;
    });

  const onMessage = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage')!;
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    ...onMessage,
    set(listener: (event: MessageEvent) => void) {
      onMessage.set!.call(this, (event: MessageEvent) => {
        const startedMs = performance.now();
        listener.call(this, event);
        messageMs += performance.now() - startedMs;
      });
    },
  });

  new PerformanceObserver((list) => {
    if (!isPaused) for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask' });

  const count = (prototype: object, names: readonly string[]) => {
    for (const name of names) {
      const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
      const original = methods[name]!;
      methods[name] = function (...args) {
        if (!isPaused) drawCalls++;
        return original.apply(this, args);
      };
    }
  };
  if (renderer === 'webgl') {
    count(WebGL2RenderingContext.prototype, ['drawElements', 'drawArrays', 'drawElementsInstanced']);
    weighUploads();
  } else count(CanvasRenderingContext2D.prototype, ['drawImage', 'fill', 'stroke', 'fillRect']);

  const share = (sorted: readonly number[], at: number) =>
    Math.round((sorted[Math.floor((sorted.length - 1) * at)] ?? 0) * 100) / 100;
  Object.assign(window, {
    frameWatch: {
      /** Entering the arena is not part of playing. */
      pause(next: boolean) {
        isPaused = next;
      },
      reset() {
        frameMs.length = 0;
        frameTime = undefined;
        longTasks.length = 0;
        drawCalls = 0;
        uploadedBytes = 0;
        frames = 0;
      },
      read() {
        const sorted = frameMs.toSorted((a, b) => a - b);
        return {
          renderer,
          frames,
          scriptMsP50: share(sorted, 0.5),
          scriptMsP95: share(sorted, 0.95),
          scriptMsP99: share(sorted, 0.99),
          longTasksOver50: longTasks.length,
          longTaskMsSum: longTasks.reduce((sum, ms) => sum + ms, 0),
          longestTaskMs: Math.max(0, ...longTasks),
          drawCallsPerFrame: Math.round(drawCalls / Math.max(1, frames)),
          ...(renderer === 'webgl' && {
            uploadedKbPerFrame: Math.round(uploadedBytes / 102.4 / Math.max(1, frames)) / 10,
          }),
        };
      },
    },
  });

  /** What goes to the graphics card as vertices: whole arrays, or the part that the last argument names. */
  function weighUploads(): void {
    const { prototype } = WebGL2RenderingContext;
    const methods = prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['bufferData', 'bufferSubData']) {
      const original = methods[name]!;
      methods[name] = function (...args) {
        const data = args.find((arg) => ArrayBuffer.isView(arg)) as Float32Array | undefined;
        const elements = name === 'bufferSubData' ? (args[4] as number | undefined) : undefined;
        if (data && !isPaused)
          uploadedBytes += elements ? elements * data.BYTES_PER_ELEMENT : data.byteLength;
        return original.apply(this, args);
      };
    }
  }
}
