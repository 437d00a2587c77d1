/**
 * Checks citations: every page, section, decision and ADR that a source file cites exists, docs/spec/threats.md describes every number of a test,
 * and every file and folder that a page names exists. Prints each fault and exits with 1 if there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALL_IDS, idsIn } from './threat-ids.mjs';

const ADRS = new Set(existsSync('docs/adr') ? readdirSync('docs/adr').map((name) => Number(name.slice(0, 4))) : []);
const SOURCE = /\.(?:tsx?|mjs|cjs|css|sql|py|sh|ya?ml|html)$/;
const DECISIONS = 'docs/spec/decisions.md';
const THREATS = 'docs/spec/threats.md';
const ARCHITECTURE = 'docs/architecture.md';

/** `docs/spec/crypto.md §9, §12–§13` or `docs/spec/decisions.md K8`: the page, then its sections or decisions. */
const CITATION =
  /((?:[\w.-]+\/)*[\w-]+\.md)\b[`'")\]]*((?:,? (?:and )?(?:§[\d.]*\d(?:[–-]§?[\d.]*\d)?|[A-Z]\d+(?:–[A-Z]?\d+)?\b))*)/g;
/** A section or decision without its page. Sections of an RFC are fine. */
const VAGUE = /\S+,? (?<=[\w.,:;)`'] |\()\(?§[\d.]*\d|\b(?:decisions?|issues?) [A-Z]?\d+/gi;
const RFC = /\bRFC \d+(?:,? §[\d.]*\d)+/g;

const placesOfPage = new Map();

/** The sections of a page (`9`, `3.1`, and `3.1.24` for an item or row of a section) and its ids (`K8`). */
function placesOf(markdown) {
  const places = new Set();
  let section = '';
  for (const line of markdown.split('\n')) {
    const [, heading] = /^#+ ([\d.]*\d)\.? /.exec(line) ?? [];
    if (heading !== undefined) places.add((section = heading));
    else if (line.startsWith('## ')) section = '';
    const [, item] = /^(?:\| *)?(\d+[a-z]?)(?:\. | *\|)/.exec(line) ?? [];
    if (item !== undefined && section !== '') places.add(`${section}.${item}`);
    const [, row] = /^\| *((?:[A-Z]\d+(?:[–-][A-Z]?\d+)?,? ?)+) *\|/.exec(line) ?? [];
    for (const [, letter, first, last = first] of (row ?? '').matchAll(/([A-Z])(\d+)(?:[–-]\1?(\d+))?/g)) {
      for (let number = Number(first); number <= Number(last); number += 1) places.add(letter + number);
    }
  }
  return places;
}

function placesIn(page) {
  if (!placesOfPage.has(page)) placesOfPage.set(page, placesOf(readFileSync(page, 'utf8')));
  return placesOfPage.get(page);
}

/** Joins the lines of comments, because a citation may continue on the next line. */
const joined = (source) => source.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|#)[ \t]*/g, ' ');

/** Faults of one source file, as sentences. */
function citationFaults(file, source) {
  const text = joined(source);
  const faults = [];
  for (const [whole, page, cited] of text.matchAll(CITATION)) {
    const path = [page, join(dirname(file), page), join('docs', page)].find((one) => existsSync(one));
    if (path === undefined) faults.push(`${file}: ${page} does not exist`);
    else
      for (const place of citedPlaces(path, cited))
        if (!placesIn(path).has(place)) faults.push(`${file}: ${whole}: no ${place} in ${path}`);
  }
  for (const [words] of text.replaceAll(CITATION, '').replaceAll(RFC, '').matchAll(VAGUE))
    faults.push(`${file}: “${words}” names no page of docs/spec`);
  for (const [words, number] of text.matchAll(/\bADR (\d+)\b/g))
    if (!ADRS.has(Number(number))) faults.push(`${file}: there is no ${words}`);
  return faults;
}

/** Ids of other pages are those of the threat model, which scripts/threat-coverage.mjs checks. */
function citedPlaces(page, cited) {
  const sections = [...cited.matchAll(/[§–-]([\d.]*\d)/g)].map(([, section]) => section);
  const ids = page === DECISIONS ? (cited.match(/\b(?:[GHIK]\d+|R[1-7]\b)/g) ?? []) : [];
  return [...sections, ...ids];
}

/** Every folder of the repository that contains a file. */
const foldersOf = (files) =>
  new Set(
    files.flatMap((file) =>
      file
        .split('/')
        .slice(0, -1)
        .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
    ),
  );

/** Paths of the layout block of docs/architecture.md, the first block of the page, that do not exist. */
function layoutFaults(markdown, files, folders) {
  const [, layout = ''] = /```\n([^]*?)```/.exec(markdown) ?? [];
  const faults = [];
  let parents = [];
  for (const line of layout.split('\n')) {
    const [, indent = '', path] = /^( *)((?:[\w.-]+\/)+[\w.-]*|[\w.-]+\.(?:tsx?|mjs))(?= |$)/.exec(line) ?? [];
    if (path === undefined) continue;
    parents = [...parents.slice(0, indent.length / 2), path.replace(/\/$/, '')];
    const whole = parents.join('/');
    if (!folders.has(whole) && !files.includes(whole)) faults.push(`${ARCHITECTURE}: ${whole} does not exist`);
  }
  return faults;
}

/** Paths from the root of the repository and source files that a page names in code, and that do not exist. */
function pathFaults(page, markdown, files, folders) {
  const known = [...files, ...folders];
  const code = [...markdown.matchAll(/```[^]*?```|`[^`\n]+`/g)].flatMap(([one]) => one.split(/[\s`()|,;:]+/));
  const paths = code.filter((word) => /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(word)).map((word) => word.replace(/\/$/, ''));
  const isGone = (path) => {
    if (path.includes('/dist') || known.includes(path)) return false;
    if (path.includes('/') && folders.has(path.split('/')[0])) return true;
    return /[^.]\.(?:tsx?|mjs|cjs)$/.test(path) && !files.some((file) => file.endsWith(`/${path}`));
  };
  return [...new Set(paths.filter(isGone))].map((path) => `${page}: ${path} does not exist`);
}

/** Numbers of the threat model that its page does not describe. */
function undescribedNumbers(markdown) {
  const described = idsIn(markdown);
  return ALL_IDS.filter((id) => !described.has(id)).map((id) => `${THREATS}: ${id} is not described`);
}

function main() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((file) => existsSync(file));
  const folders = foldersOf(files);
  const pages = files.filter((file) => file.endsWith('.md'));
  const faults = [
    ...files.filter((file) => SOURCE.test(file)).flatMap((file) => citationFaults(file, readFileSync(file, 'utf8'))),
    ...undescribedNumbers(readFileSync(THREATS, 'utf8')),
    ...layoutFaults(readFileSync(ARCHITECTURE, 'utf8'), files, folders),
    ...pages.flatMap((page) => pathFaults(page, readFileSync(page, 'utf8'), files, folders)),
  ];
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}

main();
