/** The samples of a metrics page in Prometheus' text format. Throws on a malformed line. */
export type Samples = {
  readonly names: ReadonlySet<string>;
  /** The sum of all series of that name whose labels include these. Undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
};

export function readMetrics(text: string): Samples {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readLine);
  return {
    names: new Set(samples.map(({ name }) => name)),
    value: (name, labels = {}) => {
      const matching = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
      if (matching.length === 0) return undefined;
      return matching.reduce((total, sample) => total + sample.value, 0);
    },
  };
}

function readLine(line: string) {
  const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
  const value = Number(found?.[3]?.replace('+Inf', 'Infinity'));
  const isNumber = !Number.isNaN(value) || /^nan$/i.test(found?.[3] ?? '');
  if (!found || !isNumber) throw new Error(`Not a sample: ${line}`);
  const labels = (found[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return { name: found[1]!, labels: Object.fromEntries([...labels].map(([, k, v]) => [k, v])), value };
}
