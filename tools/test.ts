import { runSteps } from './steps.ts';

runSteps([{ name: 'tests', command: 'vitest', arguments: ['run', ...process.argv.slice(2)] }]);
