/** The tests that have to kill the mutants of `core/crypto`: its own, and those of the domain that say how strictly keys and bytes are read. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'core/src/crypto/*.test.ts',
      'core/src/domain/{keyring/certificate,fields/payload,fields/field,rosters/roster,sign-up-rules}.test.ts',
    ],
    // Reads the sources as text.
    exclude: ['core/src/crypto/boundaries.node.test.ts'],
    // A slow machine must not look like a killed or a surviving mutant.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
