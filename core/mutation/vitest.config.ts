/** The tests of `core` in Node, as mutation testing runs them: one project, so that each mutant meets only the tests that reach it. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['core/src/{crypto,domain}/**/*.test.ts'],
    exclude: ['core/src/domain/keepass/**', 'core/src/**/*.long.test.ts', 'core/src/crypto/boundaries.node.test.ts'],
    testTimeout: 20_000,
  },
});
