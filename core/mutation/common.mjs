/** What both parts of mutation testing share: one runner at a time, only the tests that reach a mutant, results kept between runs. */

/**
 * @param {'crypto' | 'domain'} part
 * @param {readonly string[]} mutate
 */
export const settings = (part, mutate) => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: `core/mutation/vitest.${part}.config.ts` },
  mutate: [...mutate, '!core/src/**/*.test.ts'],
  ignorePatterns: ['/*', '!/core', '!/package.json', '!/tsconfig.base.json'],
  coverageAnalysis: 'perTest',
  // What is computed while a file is loaded is met by every test: those mutants would take longer than all others together.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 60_000,
  incremental: true,
  incrementalFile: `.cache/mutation/${part}.json`,
  tempDirName: `.cache/mutation/sandbox-${part}`,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.cache/mutation/${part}-report.json` },
});
