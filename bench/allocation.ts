import { type HeapProfiler, Session } from 'node:inspector';

/** Allocated bytes per sample, on average. */
const SAMPLING_INTERVAL_BYTES = 256;

/**
 * The bytes that a step allocates, garbage included, estimated by V8's sampling heap profiler. Only
 * allocations below `step` count; the profile is searched for the name of the measured function.
 */
export function allocatedPerStep(step: () => void, prepareStep: () => void, steps: number): number {
  const measuredStep = { [MEASURED]: () => step() }[MEASURED]!;
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.enable');
  session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_INTERVAL_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  for (let i = 0; i < steps; i++) {
    prepareStep();
    measuredStep();
  }
  let bytes = 0;
  session.post('HeapProfiler.stopSampling', (error, result) => {
    if (error) throw error;
    bytes = bytesBelow(result.profile.head, false);
  });
  session.disconnect();
  return Math.round(bytes / steps);
}

const MEASURED = 'measuredStep';

function bytesBelow(node: HeapProfiler.SamplingHeapProfileNode, isInside: boolean): number {
  const counts = isInside || node.callFrame.functionName === MEASURED;
  const own = counts ? node.selfSize : 0;
  return node.children.reduce((sum, child) => sum + bytesBelow(child, counts), own);
}
