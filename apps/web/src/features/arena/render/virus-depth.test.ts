import { standardRules } from '@engulf/sim/rules';
import { massToRadius } from '@engulf/sim/size';
import { expect, test } from 'vitest';
import { VIRUS_DEPTH_MASS, virusDepthOf } from './virus-depth.ts';

const law = standardRules.size;

test('a cell is drawn above viruses from the configured mass on', () => {
  expect(massToRadius(law, 200)).toBeGreaterThan(virusDepthOf(law, 200));
  expect(massToRadius(law, 199)).toBeLessThan(virusDepthOf(law, 200));
});

test('without a configuration, that is when it can burst on one', () => {
  const { viruses, eating } = standardRules;
  expect(VIRUS_DEPTH_MASS).toBe(viruses.mass * eating.massRatio);
});
