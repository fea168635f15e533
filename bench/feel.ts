import { LINES } from './feel/line.ts';
import { measureStutter, measureTurns } from './feel/measure-steering.ts';
const t=performance.now()
for (const line of LINES) {
  console.log(line, measureStutter(line, 1, 60), measureTurns(line, 2, 60));
}
console.log(performance.now()-t)
