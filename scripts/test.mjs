/**
 * `npm test`: installs what is missing (also the browser, as root on a Debian-like system), checks the tree, builds,
 * runs all suites and ends with the line `N passed, N failed`. `--long` adds the slow suites (`*.long.test.ts`) and a
 * table of the test results by number of the threat model.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installPackages, prepareBrowser } from './prepare.mjs';
import { run, tool } from './run.mjs';
import { tableText, threatTable } from './threat-ids.mjs';

const long = process.argv.includes('--long');
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const threats = threatTable();

/** Runs one step and counts it as one test; prints its output if it fails. */
async function check(name, program, args) {
  const { code, output } = await (program === 'node'
    ? run(process.execPath, args, { quiet: true })
    : tool(program, args, { quiet: true }));
  if (code === 0) total.passed += 1;
  else {
    total.failed += 1;
    failures.push(name);
    console.log(output.slice(-20_000));
  }
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds()})`);
  return code === 0;
}

/** One line per failed test of a vitest report: file, name and reason. */
function failedTests(counts) {
  return (counts?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(process.cwd(), name);
    if (failed.length === 0) return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
    return failed.map((test) => `${file} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
  });
}

const firstLine = (text) => (text ?? '').split('\n')[0].slice(0, 500);

async function suite(project, env) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await tool('vitest', args, { env });
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  rmSync(folder, { recursive: true, force: true });
  if (counts !== null) threats.add(project, counts);
  total.passed += counts?.numPassedTests ?? 0;
  total.skipped += (counts?.numPendingTests ?? 0) + (counts?.numTodoTests ?? 0);
  // A file that cannot be loaded, or a run that crashes, reports no failed test.
  const failed = counts?.numFailedTests ?? 0;
  total.failed += code !== 0 && failed === 0 ? 1 : failed;
  if (code !== 0) failures.push(`suite ${project}`, ...failedTests(counts));
  console.log(`${code === 0 ? '✓' : '✗'} suite ${project} (${seconds()})`);
}

const { compiled } = await installPackages();
const chromium = await prepareBrowser();
const env = { ...(chromium === null ? {} : { CHROMIUM: chromium }), ...(long ? { TEST_LONG: '1' } : {}) };

// Lint and the others read the output of `tsc -b`, so they run after it.
await Promise.all([check('types', 'tsc', ['-b']), check('format', 'oxfmt', ['--check'])]);
await Promise.all([
  check('lint', 'node', ['scripts/lint.mjs']),
  check('lint rules report violations', 'node', ['scripts/check-lint-rules.mjs']),
  check('unused code', 'knip', []),
  check('numbers of the threat model', 'node', ['scripts/threat-coverage.mjs', '--check']),
  check('citations of docs', 'node', ['scripts/check-docs.mjs']),
  check('measures of the code', 'node', ['scripts/measures.mjs', '--check']),
  check('packages', 'node', ['scripts/check-dependencies.mjs']),
]);
if (chromium === null) {
  total.failed += 1;
  failures.push('no Chromium: install the distribution’s package “chromium” or name one with CHROMIUM=…');
}
// These suites need neither the native addon, which may still be compiling, nor the build.
await Promise.all([suite('core', env), chromium === null ? null : suite('core-chromium', env)]);
await compiled;
const built = await check('build', 'node', ['build/build.mjs', '--if-stale']);
if (built) await check('bundle budgets', 'node', ['build/check-bundles.mjs']);

await suite('server', env);
await suite('server-postgres', env);
await suite('client', env);
await suite('cli', env);
await suite('extension', env);
await suite('web', env);
await suite('web-pages', env);
if (long && built) await suite('faults', env);
if (chromium !== null && built) await suite('e2e', env);

if (long) {
  const rows = threats.rows();
  console.log(tableText(rows));
  // Failed tests are counted above; a number without a test in this run is another failure.
  const absent = rows.filter(({ result, isWrong }) => isWrong && result === 'NO TEST').map(({ id }) => id);
  total.failed += absent.length;
  if (absent.length > 0) failures.push(`no test ran for ${absent.join(' ')}`);
}
for (const failure of failures) console.log(`failed: ${failure}`);
if (total.skipped > 0) console.log(`${total.skipped} skipped, each with the reason in its name`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
