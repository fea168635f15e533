import type { Reporter, TestModule } from 'vitest/node';

/** Ends every test run with one plain line for people and CI: `tests: 12 passed, 0 failed`. */
export default class ClosingCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    let broken = 0;
    for (const module of modules) {
      // A file that cannot be loaded, or a group whose set-up failed: its tests count as skipped.
      for (const group of [module, ...module.children.allSuites()]) if (group.errors().length > 0) broken++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    const failed = counts.failed + counts.pending + broken + errors.length;
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`\ntests: ${counts.passed} passed, ${failed} failed${skipped}`);
  }
}
