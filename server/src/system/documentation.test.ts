/** What the documentation points at is there: files, places in them, paths in its words; and no row of the specification's coverage is empty. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs'), ...below('deploy')];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const withoutBlocks = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '');

/** As the hosts of such pages name the places of headings. */
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

/** What is built is not there before it has been. */
const gonePaths = (page: string) =>
  [...read(page).matchAll(/`((?:core|server|web|e2e|bench|faults|scripts|docs|deploy)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('/dist') && !existsSync(join(ROOT, path)));

test('every link leads somewhere', () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`))).toEqual([]);
});

test('every path that is named is there', () => {
  expect(PAGES.flatMap((page) => gonePaths(page).map((path) => `${page}: ${path}`))).toEqual([]);
});

test('no row of the coverage of the specification is empty', () => {
  const rows = read('docs/specification-coverage.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((cells) => cells.some((cell) => cell.trim() === ''))).toEqual([]);
});

test('the unit and the image say to the process what npm start says', () => {
  const said = Object.entries(JSON.parse(read('deploy/process-environment.json')) as Record<string, string>);
  for (const file of ['deploy/passwordbroker.service', 'deploy/Dockerfile']) {
    const words = read(file).split(/\s+|Environment=/);
    for (const [name, value] of said) expect(words, file).toContain(`${name}=${value}`);
  }
});
