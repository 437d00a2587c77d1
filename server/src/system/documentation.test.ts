/** Links in the documentation exist, and the coverage page names existing tests. scripts/check-docs.mjs checks paths. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { coverageFaults } from './testing/coverage-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs'), ...below('deploy')];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const withoutBlocks = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '');

/** Anchors of headings, as GitHub builds them. */
const anchorsOf = (text: string) =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

const deadLinks = (page: string) => {
  const text = withoutBlocks(read(page)).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : join(dirname(page), file);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
};

test('every link has a target', () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`))).toEqual([]);
});

describe('the coverage of the specification', () => {
  const page = read('docs/specification-coverage.md');
  const sourceOf = (file: string) => (existsSync(join(ROOT, file)) ? read(file) : null);

  test('lists every section with all of its sentences, and an existing test for each', () => {
    expect(coverageFaults(page, sourceOf)).toEqual([]);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['a missing section', (text) => text.replace(/## §3[^]*?(?=## §4)/, ''), /^§3 .* 0 sentences instead of 25$/],
    [
      'a section without sentences',
      (text) => text.replace(/(## §7 Calls: system\n)[^]*?(?=## §8)/, '$1\n'),
      /^§7 .* 0 sentences/,
    ],
    [
      'a missing sentence',
      (text) => text.replace(/^- The logo links to .*\n( {2}- .*\n)+/m, ''),
      /27 sentences instead of 28$/,
    ],
    [
      'a sentence without a test',
      (text) => text.replace(/(^- The logo links to .*\n)( {2}- .*\n)+/m, '$1'),
      /^No test for: The logo/,
    ],
    [
      'a missing file',
      (text) => text.replaceAll('e2e/backup.long.e2e.ts', 'e2e/gone.e2e.ts'),
      /^e2e\/gone.e2e.ts is not there/,
    ],
    [
      'a test with another name',
      (text) => text.replaceAll('the timeout is 30 seconds', 'the timeout is 31 seconds'),
      /has no test “the timeout is 31 seconds”/,
    ],
    [
      'a name that appears only in a comment or a body',
      (text) => text.replaceAll('the timeout is 30 seconds', 'ended'),
      /has no test “ended”/,
    ],
  ])('reports %s', (_, change, fault) => {
    const changed = change(page);
    expect(changed).not.toBe(page);
    expect(coverageFaults(changed, sourceOf)[0]).toMatch(fault);
  });
});

test('the systemd unit and the image set the same environment as npm start', () => {
  const said = Object.entries(JSON.parse(read('deploy/process-environment.json')) as Record<string, string>);
  for (const file of ['deploy/passwordbroker.service', 'deploy/Dockerfile']) {
    const words = read(file).split(/\s+|Environment=/);
    for (const [name, value] of said) expect(words, file).toContain(`${name}=${value}`);
  }
});
