/** `npm run lint`: type-aware rules and import boundaries over the whole tree; `--fix` repairs what it can. */
import { writeLintConfig } from './lint-config.mjs';
import { tool } from './run.mjs';

writeLintConfig();
const { code } = await tool('oxlint', ['--type-aware', '--deny-warnings', ...process.argv.slice(2)]);
process.exit(code);
