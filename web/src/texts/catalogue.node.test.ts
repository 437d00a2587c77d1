/** Every text on the screen is in a folder or file `texts`, so a translation needs no other files. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import * as germanExchange from './de/exchange.ts';
import * as germanServices from './de/late/services.ts';
import * as germanSites from './de/late/sites.ts';
import * as spanishExchange from './es/exchange.ts';
import * as spanishServices from './es/late/services.ts';
import * as spanishSites from './es/late/sites.ts';
import * as frenchExchange from './fr/exchange.ts';
import * as frenchServices from './fr/late/services.ts';
import * as germanProgram from './de/late/program.ts';
import * as germanDuplicates from './de/late/duplicates.ts';
import * as spanishProgram from './es/late/program.ts';
import * as spanishDuplicates from './es/late/duplicates.ts';
import * as frenchProgram from './fr/late/program.ts';
import * as frenchDuplicates from './fr/late/duplicates.ts';
import * as frenchSites from './fr/late/sites.ts';
import * as french from './french.ts';
import * as german from './german.ts';
import * as spanish from './spanish.ts';
import { IDENTITY_TEXTS } from './identity/identity.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['client/src', 'ui/src', 'web/src'];
/** The extension has a catalogue of its own, whose translations do not compile unless they are whole. */
const WITH_TEXTS_ELSEWHERE = [...SOURCES, 'extension/src'];
/** Properties of elements and components whose value is visible or read aloud. */
const READ = new Set(
  `alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext busyLabel confirmLabel error heading hint label placeholder
   subtitle text title tooltip`.split(/\s+/),
);
/** Names of the product and of keys, which are not translated. */
const NAMES = /\b(PasswordBroker|Password|Broker)\b/g;
const isWords = (text: string) => /\p{L}{2,}/u.test(text.replace(NAMES, ''));
/** A sentence: several words, the first one capitalised. */
const isSentence = (text: string) => /^\p{Lu}\p{Ll}+(?:[ ’'-]\S+){2,}/u.test(text);

/** Texts that are not shown: reasons of aborts, a compared text of an older server, a replaced error. */
const UNREAD = [
  'The entry of the master password was cancelled',
  'The confirmation of the password was cancelled',
  'Unable to read key',
  'The sealed import has   bytes, and   fit',
];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode);
    else if (isNode(value)) yield value;
  }
}

/** The text of a literal, or the fixed parts of a template; null for anything else. */
function wordsOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (/^(JSXExpressionContainer|ParenthesizedExpression|TSAsExpression)$/.test(node.type))
    return wordsOf(node['expression']);
  if (node.type === 'ConditionalExpression') {
    return [wordsOf(node['consequent']), wordsOf(node['alternate'])].filter((text) => text !== null).join(' ');
  }
  if (node.type === 'LogicalExpression') return wordsOf(node['right']);
  if (node.type === 'TemplateLiteral') {
    const quasis = node['quasis'] as { value: { raw: string } }[];
    return quasis.map(({ value }) => value.raw).join(' ');
  }
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null;
}

/** Texts outside the catalogue, each with its line. */
function strayWords(name: string, source: string): string[] {
  const found: string[] = [];
  const note = ({ start }: Node, text: string) =>
    found.push(`${name}:${source.slice(0, start).split('\n').length} ${text.trim()}`);
  const visit = (node: Node) => {
    // Internal errors are only logged.
    const isMistake = node.type === 'NewExpression' && (node['callee'] as Node)['name'] === 'Error';
    if (isMistake || /^(ThrowStatement|ImportDeclaration|TSLiteralType)$/.test(node.type)) return;
    if (node.type === 'JSXText' && isWords(String(node['value']))) note(node, String(node['value']));
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node['children'] as Node[]) {
        const words = child.type === 'JSXExpressionContainer' ? wordsOf(child) : null;
        if (words !== null && isWords(words)) note(child, words);
      }
    }
    if (node.type === 'JSXAttribute' && READ.has(String((node['name'] as Node)['name']))) {
      const words = wordsOf(node['value']);
      if (words !== null && isWords(words)) note(node, words);
    }
    if (node.type === 'Property' && READ.has(String((node['key'] as Node)['name']))) {
      const words = wordsOf(node['value']);
      // A single lower-case word is the name of a state or a colour.
      if (words !== null && isWords(words) && /^\p{Lu}|\s/u.test(words)) note(node, words);
    }
    if (node.type === 'Literal' || node.type === 'TemplateLiteral') {
      const words = wordsOf(node);
      if (words !== null && isSentence(words) && !UNREAD.includes(words)) note(node, words);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  visit(program as unknown as Node);
  return found;
}

test('the search finds a planted text', () => {
  const planted = strayWords(
    'planted.tsx',
    `export const A = ({ on }) => <p title="Close it">Hello there {on ? 'Left out' : 'x'}<img alt={\`Mark of \${on}\`} /></p>;
     toast('Something went quite wrong');
     const item = { label: 'Move' };
     throw new Error('Only for us to read');`,
  );
  expect(planted.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'Left out x',
    'Close it',
    'Hello there',
    'Mark of',
    'Something went quite wrong',
    'Move',
  ]);
});

test('no component and no other part of the client contains texts', () => {
  const files = WITH_TEXTS_ELSEWHERE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^texts[/.]|^testing\//.test(file.replaceAll('\\', '/')))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(300);
  const stray = files.flatMap((file) => strayWords(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(stray).toEqual([]);
});

/** Words that a person without technical knowledge does not understand. */
const HARD =
  /\b(whoever|roster|keyset|envelope|blob|sealed|wrap(ped)?|revisions?|hash|payload|canonical|checkpoint|hexadecimal|endpoint|surrogate|API(?! token)|key mismatch)\b|\(s\)/i;

test('no text has words that only engineers know', () => {
  const texts: string[] = [];
  for (const folder of ['web/src/texts', 'client/src/texts', 'extension/src/texts']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /\.test\.ts$|^(de|fr|es)[/\\]/.test(file)) continue;
      texts.push(...literalsOf(file, readFileSync(join(ROOT, folder, file), 'utf8')));
    }
  }
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => HARD.test(text))).toEqual([]);
});

/** Texts of values: no names of properties, modules and types. */
function literalsOf(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (/^(ImportDeclaration|TS(?!AsExpression|SatisfiesExpression).*)$/.test(node.type)) return;
    if (node.type === 'Property') {
      visit(node['value'] as Node);
      return;
    }
    if (node.type === 'Literal' || node.type === 'TemplateLiteral') found.push(wordsOf(node) ?? '');
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseSync(name, source).program as unknown as Node);
  return found.filter(isWords);
}

const LANGUAGES = [
  [
    'German',
    {
      ...german.TEXTS,
      ...germanExchange.EXCHANGE_TEXTS,
      ...germanSites.SITE_CATALOGUES,
      ...germanServices.SERVICE_CATALOGUES,
      ...germanProgram.PROGRAM_CATALOGUES,
      ...germanDuplicates.DUPLICATE_CATALOGUES,
    },
  ],
  [
    'French',
    {
      ...french.TEXTS,
      ...frenchExchange.EXCHANGE_TEXTS,
      ...frenchSites.SITE_CATALOGUES,
      ...frenchServices.SERVICE_CATALOGUES,
      ...frenchProgram.PROGRAM_CATALOGUES,
      ...frenchDuplicates.DUPLICATE_CATALOGUES,
    },
  ],
  [
    'Spanish',
    {
      ...spanish.TEXTS,
      ...spanishExchange.EXCHANGE_TEXTS,
      ...spanishSites.SITE_CATALOGUES,
      ...spanishServices.SERVICE_CATALOGUES,
      ...spanishProgram.PROGRAM_CATALOGUES,
      ...spanishDuplicates.DUPLICATE_CATALOGUES,
    },
  ],
] as const;

test.each(LANGUAGES)('every catalogue is there in %s', (_, texts) => {
  const names = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/catalogue\('(\w+)'/g)])
      .map(([, name]) => name),
  );
  expect(new Set(Object.keys(texts))).toEqual(new Set(names));
});

test.each(['fr', 'es'])('no text in %s has words of German', (folder) => {
  const texts: string[] = [];
  for (const path of ['web/src/texts', 'client/src/texts'].map((all) => join(ROOT, all, folder)))
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) texts.push(...literalsOf(file, readFileSync(join(path, file), 'utf8')));
  expect(texts.length).toBeGreaterThan(1000);
  const german = /[äöß„]|\b(und|oder|nicht|Sie|wird|keine?|für|nach|Eintrag|Gruppe)\b/;
  expect(texts.filter((text) => german.test(text))).toEqual([]);
});

test('the texts in index.html are those of the first page', () => {
  const page = readFileSync(join(ROOT, 'web/index.html'), 'utf8');
  expect(/class="boot">([^<]+)</.exec(page)?.[1]).toBe(IDENTITY_TEXTS.loading);
});
