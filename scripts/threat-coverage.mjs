/**
 * Lists the numbers of the threat model with and without a test: T over HTTP, M against a lying server, P properties,
 * R faults. A number counts if the name of a test or `describe` contains it (`T31–T33` counts as three); numbers that
 * only the first comment of a test file contains are listed separately. `--missing` prints only missing ones. `--check`
 * fails if a number has neither a test nor a reason, or both.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { FAMILIES, MEASURED_APART, WITHOUT_TEST, idsIn, idsOf } from './threat-ids.mjs';

const isCheck = process.argv.includes('--check');
const onlyMissing = isCheck || process.argv.includes('--missing');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(test|e2e)\.tsx?$/.test(file));

/** The name of a test: the first argument of `test(…)`, `describe(…)`, or of the call after `.each(…)`. */
const NAMED = /\b(?:test|it|describe)(?:\.\w+)*\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g;
/** The name of tests made from a table: `])('name', …)`. */
const EACH = /[\])\w]\s*\)\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g;
/** The name of a row of such a table: a text that ends with the number in parentheses. */
const ROW = /(['"`])((?:\\.|(?!\1)[^\n\\])*\((?:[TMPR]\d{1,3}[ ,–-]*)+\))\1/g;

const hasReason = (id) => WITHOUT_TEST.has(id) || MEASURED_APART.has(id);
const lost = [];

const found = new Map();
const inHeads = new Set();
for (const file of files) {
  const source = readFileSync(file, 'utf8');
  for (const id of idsIn(/^\/\*\*[\s\S]*?\*\//.exec(source)?.[0] ?? '')) inHeads.add(id);
  for (const pattern of [NAMED, EACH, ROW]) {
    for (const [, , name] of source.matchAll(pattern)) {
      for (const id of idsIn(name)) found.set(id, (found.get(id) ?? new Set()).add(file));
    }
  }
}

for (const [letter, ranges, what] of FAMILIES) {
  const ids = idsOf(letter, ranges);
  const missing = ids.filter((id) => !found.has(id));
  const heads = missing.filter((id) => inHeads.has(id));
  const due = missing.filter((id) => !hasReason(id) && !inHeads.has(id));
  console.log(`${letter}, ${what}: ${ids.length - missing.length} of ${ids.length} by name`);
  if (!onlyMissing) {
    for (const id of ids.filter((known) => found.has(known))) console.log(`  ${id}  ${[...found.get(id)].join(', ')}`);
  }
  if (heads.length > 0) console.log(`  only in the first comment of a file: ${heads.join(' ')}`);
  if (due.length > 0) console.log(`  none: ${due.join(' ')}`);
  const argued = missing.filter(hasReason);
  if (argued.length > 0) console.log(`  with a reason: ${argued.join(' ')}`);
  lost.push(...missing.filter((id) => !hasReason(id)));
}

const needless = [...WITHOUT_TEST.keys(), ...MEASURED_APART.keys()].filter((id) => found.has(id));
if (isCheck && lost.length > 0) console.log(`without a test and without a reason: ${lost.join(' ')}`);
if (isCheck && needless.length > 0) console.log(`with a test and with a reason for having none: ${needless.join(' ')}`);
if (isCheck && lost.length + needless.length > 0) process.exitCode = 1;
