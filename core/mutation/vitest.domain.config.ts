/** The tests that have to kill the mutants of the domain: those of the mutated files alone, without the random acts, which say the same again and slower. */
import { defineConfig } from 'vitest/config';

const NAMES = [
  'rosters/accepted-rosters',
  'keyring/certificate',
  'keyring/certificate-chain',
  'keyring/documents',
  'keyring/fingerprint-words',
  'groups/group-keys',
  'groups/secret-cache',
  'groups/member-change',
  'trust/pins',
  'policy',
  'rosters/*',
  'groups/rotation',
];

export default defineConfig({
  test: {
    include: NAMES.map((name) => `core/src/domain/${name}.test.ts`),
    // A slow machine must not look like a killed or a surviving mutant.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
