/** The tests of `core` in Node, as mutation testing runs them: one project, so that each mutant meets only the tests that reach it. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['core/src/{crypto,domain}/**/*.test.ts'],
    // Left out: what reaches no mutated file, what reads the sources as text, and random acts, which say the same again and slower.
    exclude: [
      'core/src/domain/keepass/**',
      'core/src/crypto/boundaries.node.test.ts',
      'core/src/domain/{team,succession}.test.ts',
    ],
    testTimeout: 20_000,
  },
});
