/**
 * `npm run test:mutation`: changes the cryptography and the rules of the domain one small step at a time and runs the tests against each change
 * (docs/mutation-testing.md). Takes an hour or two, at the lowest priority, and remembers what it has found. Paths limit it:
 * `npm run test:mutation -- core/src/crypto/seal.ts`.
 */
import { setPriority, constants } from 'node:os';
import { tool } from './run.mjs';

setPriority(constants.priority.PRIORITY_LOW);
const paths = process.argv.slice(2);
const chosen = paths.length === 0 ? [] : ['--mutate', [...paths, '!core/src/**/*.test.ts'].join(',')];
const { code } = await tool('stryker', ['run', 'core/mutation/stryker.config.json', ...chosen]);
process.exit(code);
