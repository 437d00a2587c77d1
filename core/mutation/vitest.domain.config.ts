/** The tests that have to kill the mutants of the domain. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['core/src/{crypto,domain}/*.test.ts'],
    // Left out: what reads the sources as text, and random acts, which say the same again and slower.
    exclude: ['core/src/crypto/boundaries.node.test.ts', 'core/src/domain/{team,succession}.test.ts'],
    testTimeout: 20_000,
  },
});
