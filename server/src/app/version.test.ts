/** All places that name the version agree. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '@passwordbroker/core/contract/client';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const { workspaces: WORKSPACES } = JSON.parse(read('package.json')) as { workspaces: string[] };
const versionIn = (path: string) => (JSON.parse(read(path)) as { version: string }).version;

test('the packages, the lockfile and the changelog have the version of the server', () => {
  for (const folder of ['.', ...WORKSPACES])
    expect([folder, versionIn(`${folder}/package.json`)]).toEqual([folder, VERSION]);
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
  for (const name of ['', ...WORKSPACES]) expect([name, packages[name]?.version]).toEqual([name, VERSION]);
  // Unreleased changes are listed above the newest version.
  expect(/^## (\d\S*)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(VERSION);
});
