import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the size of files, which is all that is known on a new machine, the longest tests would begin last. */
const FIRST = [/e2e\/walks\/(screens|integrity|returns)/, /e2e\/walks/, /e2e/];

export class WalksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((pattern) => pattern.test(moduleId));
      return at < 0 ? FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
