/**
 * `npm run test:mutation`: changes the cryptography and the rules of the domain one small step at a time and runs the tests against each change
 * (docs/mutation-testing.md). Takes an hour or two at low priority, and remembers what it has found. `npm run test:mutation -- domain` runs one
 * part alone.
 */
import { constants, setPriority } from 'node:os';
import { tool } from './run.mjs';

const asked = process.argv.slice(2);
const parts = asked.length === 0 ? ['crypto', 'domain'] : asked;
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let worst = 0;
for (const part of parts) {
  const { code } = await tool('stryker', ['run', `core/mutation/${part}.config.mjs`]);
  worst = Math.max(worst, code);
}
process.exit(worst);
