/** The table at the end of `npm run test:long`: one row per number of the threat model, from the names of the tests that ran. */
import { ALL_IDS, MEASURED_APART, WITHOUT_TEST, idsIn } from './threat-ids.mjs';

const WIDTH = 150;

/**
 * Collects the test results of each number.
 * @returns `add` takes vitest's JSON report; `rows` returns `{id, result, what, isWrong}` in ascending order
 */
export function threatTable() {
  const found = new Map();
  return {
    add(project, report) {
      for (const { assertionResults } of report.testResults ?? []) {
        for (const { ancestorTitles, title, status } of assertionResults) {
          const name = [...ancestorTitles, title].filter((part) => part !== '').join(': ');
          for (const id of idsIn(name)) {
            const one = found.get(id) ?? { passed: 0, failed: 0, skipped: 0, names: [], projects: new Set() };
            if (status === 'passed') one.passed += 1;
            else if (status === 'failed') one.failed += 1;
            else one.skipped += 1;
            // Names of failed and skipped tests come first.
            if (status === 'passed') one.names.push(name);
            else one.names.unshift(name);
            one.projects.add(project);
            found.set(id, one);
          }
        }
      }
    },
    rows: () => ALL_IDS.map((id) => rowOf(id, found.get(id))),
  };
}

function rowOf(id, tests) {
  if (tests === undefined) {
    const reason = WITHOUT_TEST.get(id);
    if (reason !== undefined) return { id, result: 'not done', what: reason, isWrong: false };
    const apart = MEASURED_APART.get(id);
    if (apart !== undefined) return { id, result: 'apart', what: apart, isWrong: false };
    return { id, result: 'NO TEST', what: 'no test of this run has this number in its name', isWrong: true };
  }
  const { passed, failed, skipped, names, projects } = tests;
  const result =
    failed > 0
      ? `${failed} FAILED`
      : passed === 0
        ? 'skipped'
        : `${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const more = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  return { id, result, what: `${[...projects].join(', ')}: ${names[0]}${more}`, isWrong: failed > 0 };
}

/** The rows as text, with a line of totals. Long names of tests are truncated, reasons are not. */
export function tableText(rows) {
  const width = Math.max(...rows.map(({ result }) => result.length));
  const lines = rows.map(({ id, result, what }) => {
    const isTest = /passed|FAILED/.test(result);
    const text = isTest && what.length > WIDTH ? `${what.slice(0, WIDTH - 1)}…` : what;
    return `${id.padEnd(5)} ${result.padEnd(width)}  ${text}`;
  });
  const count = (kind) => rows.filter(({ result }) => kind.test(result)).length;
  const totals = `${rows.length} numbers: ${count(/^\d+ passed/)} by tests that passed, ${count(/FAILED|NO TEST/)} wrong, ${count(/^skipped/)} skipped here, ${count(/^not done|^apart/)} with a reason`;
  return ['', 'The numbers of the threat model', ...lines, totals].join('\n');
}
