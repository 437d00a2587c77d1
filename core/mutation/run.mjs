/**
 * `npm run test:mutation`: mutation testing of the cryptography and the domain rules (docs/mutation-testing.md), an hour
 * or two at low priority; stores its results. `npm run test:mutation -- domain` runs one part.
 */
import { constants, setPriority } from 'node:os';
import { tool } from '../../scripts/run.mjs';

const asked = process.argv.slice(2);
const parts = asked.length === 0 ? ['crypto', 'domain'] : asked;
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let worst = 0;
for (const part of parts) {
  const { code } = await tool('stryker', ['run', `core/mutation/${part}.config.mjs`]);
  worst = Math.max(worst, code);
}
process.exit(worst);
