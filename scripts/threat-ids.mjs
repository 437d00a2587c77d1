/**
 * The numbers of the threat model, how to find them in names of tests, the reasons of those without a test, and the
 * table at the end of `npm run test:long`: one row per number, from the names of the tests that ran.
 */

/**
 * Letter, first and last number of each range, subject.
 * @type {readonly (readonly [string, readonly (readonly [number, number])[], string])[]}
 */
export const FAMILIES = [
  [
    'T',
    [
      [1, 127],
      [140, 160],
    ],
    'over HTTP',
  ],
  [
    'M',
    [
      [1, 60],
      [80, 81],
    ],
    'against a server that lies',
  ],
  ['P', [[1, 29]], 'properties'],
  [
    'R',
    [
      [1, 57],
      [60, 67],
    ],
    'faults',
  ],
  [
    'I',
    [
      [20, 46],
      [50, 78],
      [80, 87],
      [100, 107],
      [110, 133],
    ],
    'second factors, passkeys, the recovery kit and single sign-on',
  ],
];

const BESIDE_EARLIER =
  'instances of earlier releases do not know second factors: all are upgraded before the first factor is set up';
/** Reasons of numbers without a test, repeated in docs/spec/threats.md. */
export const WITHOUT_TEST = new Map([
  ['M59', 'teams are not part of this release; no code reads their lists'],
  ['I131', BESIDE_EARLIER],
  ['I133', BESIDE_EARLIER],
]);

/** Measured separately because it takes hours: the command, and the page with its last result. */
export const MEASURED_APART = new Map([
  [
    'P25',
    'mutation testing takes hours and is a step of each release (`npm run test:mutation`; results and survivors in docs/mutation-testing.md): no change survives in `open` and `verifyRoster`, frozen vectors cover the KDF table; all of core/crypto: between 92.3 and 95.7 %, 24 of 714 changes not run again yet',
  ],
]);

/** All numbers of a family, in ascending order. */
export const idsOf = (letter, ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`));
export const ALL_IDS = FAMILIES.flatMap(([letter, ranges]) => idsOf(letter, ranges));
const KNOWN = new Set(ALL_IDS);

/** `T31–T33, T40 (P8)` → T31 T32 T33 T40 P8. Numbers that do not exist are ignored. */
export function idsIn(name) {
  const ids = new Set();
  const range = /\b([TMPRI])(\d{1,3})(?:\s*[–-]\s*(?:\1)?(\d{1,3}))?\b/g;
  for (const [, letter, first, last = first] of name.matchAll(range)) {
    for (let number = Number(first); number <= Number(last); number += 1) {
      if (KNOWN.has(`${letter}${number}`)) ids.add(`${letter}${number}`);
    }
  }
  return ids;
}

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
