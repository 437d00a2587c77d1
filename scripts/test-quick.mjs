/**
 * `npm run test:quick`: types, lint and the tests affected by a change, in Node and on SQLite. `npm run
 * test:quick -- BRANCH` takes the changes since BRANCH; the default is uncommitted changes, or the last
 * commit if there are none.
 */
import { execFileSync } from 'node:child_process';
import { run, tool } from './run.mjs';

const isClean = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim() === '';
const since = process.argv[2] ?? (isClean ? 'HEAD~1' : 'HEAD');
const projects = ['core', 'server', 'client', 'cli', 'extension', 'web', 'web-pages'].flatMap((project) => [
  '--project',
  project,
]);

const checks = await Promise.all([tool('tsc', ['-b']), run(process.execPath, ['scripts/lint.mjs'])]);
const tests = await tool('vitest', ['run', '--changed', since, '--passWithNoTests', ...projects]);
process.exit([...checks, tests].every(({ code }) => code === 0) ? 0 : 1);
