/**
 * P12 for sources: which modules may import what (docs/spec/crypto.md §21, §22). The bundle check searches
 * the built client.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { workspaces: string[] };
const sources = workspaces
  .map((name) => `${name}/src`)
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('/testing/'))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
const outside = (folder: string) => sources.filter(({ path }) => !path.startsWith(folder));
const pathsOf = (found: readonly { path: string }[]) => found.map(({ path }) => path);
const FILE_CIPHERS = 'core/src/crypto/exchange/file-ciphers.ts';

describe('P12', () => {
  test('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(pathsOf(sources)).toContain('core/src/crypto/seal.ts');
  });

  test('nothing imports the legacy reader', () => {
    const importing = outside('core/src/crypto/legacy/').filter(({ text }) =>
      /(?:from|import\()\s*['"][^'"]*legacy\//.test(text),
    );
    expect(pathsOf(importing)).toEqual([]);
  });

  test('only the legacy reader and the ciphers of foreign files name AES-CBC and PBKDF2', () => {
    const naming = sources.filter(({ text }) => /['"](?:AES-CBC|PBKDF2)['"]/.test(text));
    expect(pathsOf(naming).filter((path) => !path.startsWith('core/src/crypto/legacy/'))).toEqual([FILE_CIPHERS]);
  });

  test('only import and export reach the ciphers of foreign files', () => {
    const importing = outside('core/src/domain/exchange/').filter(({ text }) =>
      /(?:from|import\()\s*['"][^'"]*file-ciphers/.test(text),
    );
    expect(pathsOf(importing)).toEqual([]);
  });

  test('no product source contains the KDF profile of the tests', () => {
    expect(pathsOf(sources.filter(({ text }) => /\bT0\b/.test(text)))).toEqual([]);
  });

  test('no product source calls `sealWithSalt`', () => {
    const calling = outside('core/src/crypto/seal.ts').filter(({ text }) => /\bsealWithSalt\b/.test(text));
    expect(pathsOf(calling)).toEqual([]);
  });

  test('core/crypto imports no domain or contract, and core no Node modules', () => {
    const crypto = sources.filter(({ path }) => path.startsWith('core/src/crypto/'));
    expect(pathsOf(crypto.filter(({ text }) => /from '\.\.\/(?:\.\.\/)?(?:domain|contract)\//.test(text)))).toEqual([]);
    const core = sources.filter(({ path }) => path.startsWith('core/src/') && !path.endsWith('.node.ts'));
    expect(pathsOf(core.filter(({ text }) => /from '(?:node:|[^']*\.node\.ts)/.test(text)))).toEqual([]);
  });

  test('no source uses Math.random', () => {
    expect(pathsOf(sources.filter(({ text }) => /Math\s*\.\s*random/.test(text)))).toEqual([]);
  });
});
