/**
 * Which of the numbered tests of the threat model have a test by that number, and which have none: T1–T119 over HTTP, M1–M36 against a server that
 * lies, P1–P25 properties, R1–R54 faults. A number counts where it stands in the name of a test or of a `describe` around tests (`T31–T33` counts as
 * all three); one that only the first comment of a file of tests names is listed apart. `--missing` prints only what is missing. It
 * reports; `--check` fails where a number that has had its test has none any more.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FAMILIES = [
  ['T', 119, 'over HTTP'],
  ['M', 36, 'against a server that lies'],
  ['P', 25, 'properties'],
  ['R', 54, 'faults'],
];
/** Not built yet: second factor and key history of a later stage. */
const LATER = new Set(['T17', 'T18', 'T19', 'T20', 'T21', 'M16']);
/** Built whole: accounts, HTTP surface, audit. */
const KEPT = 'T1–T16 T22–T30 T63–T72 T89–T97 T107 T110';
const isCheck = process.argv.includes('--check');
const onlyMissing = isCheck || process.argv.includes('--missing');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(test|e2e)\.tsx?$/.test(file));

/** The string or template that names a test: the first argument of `test(…)`, `describe(…)`, or the one after `.each(…)`. */
const NAMED = /\b(?:test|it|describe)(?:\.\w+)*\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g;
/** The call that takes the name of tests made of a table: `])('name', …)`. */
const EACH = /[\])\w]\s*\)\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g;
/** The name of a row of such a table: a text that ends with the number in brackets. */
const ROW = /(['"`])((?:\\.|(?!\1)[^\n\\])*\((?:[TMPR]\d{1,3}[ ,–-]*)+\))\1/g;

/** `T31–T33, T40 (P8)` → T31 T32 T33 T40 P8. */
function idsIn(name) {
  const ids = new Set();
  const range = /\b([TMPR])(\d{1,3})(?:\s*[–-]\s*(?:\1)?(\d{1,3}))?\b/g;
  for (const [, letter, first, last = first] of name.matchAll(range)) {
    for (let number = Number(first); number <= Number(last); number += 1) ids.add(`${letter}${number}`);
  }
  return ids;
}

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

for (const [letter, last, what] of FAMILIES) {
  const ids = Array.from({ length: last }, (_, at) => `${letter}${at + 1}`);
  const missing = ids.filter((id) => !found.has(id));
  const heads = missing.filter((id) => inHeads.has(id));
  const due = missing.filter((id) => !LATER.has(id) && !inHeads.has(id));
  console.log(`${letter}1–${letter}${last}, ${what}: ${last - missing.length} of ${last} by name`);
  if (!onlyMissing) {
    for (const id of ids.filter((known) => found.has(known))) console.log(`  ${id}  ${[...found.get(id)].join(', ')}`);
  }
  if (heads.length > 0) console.log(`  in the head of a file alone: ${heads.join(' ')}`);
  if (due.length > 0) console.log(`  none: ${due.join(' ')}`);
  const later = missing.filter((id) => LATER.has(id));
  if (later.length > 0) console.log(`  of a later stage: ${later.join(' ')}`);
}

const lost = [...idsIn(KEPT)].filter((id) => !found.has(id));
if (isCheck && lost.length > 0) {
  console.log(`without a test: ${lost.join(' ')}`);
  process.exitCode = 1;
}
