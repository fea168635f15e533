import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends every test run with one plain line for people and CI: `tests: 12 passed, 0 failed`. Writes the files that failed,
 * one a line, where `FAILED_TEST_FILES` names a file for them.
 */
export default class ClosingCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    let brokenFiles = 0;
    for (const module of modules) {
      if (module.errors().length > 0) brokenFiles++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    const failed = counts.failed + counts.pending + brokenFiles + errors.length;
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`\ntests: ${counts.passed} passed, ${failed} failed${skipped}`);
    const { FAILED_TEST_FILES: list } = process.env;
    // An error outside any test cannot be tried again by running a file.
    if (list === undefined || errors.length > 0) return;
    const files = modules.filter((module) => !module.ok()).map((module) => module.moduleId);
    writeFileSync(list, files.map((file) => `${file}\n`).join(''));
  }
}
