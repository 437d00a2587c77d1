import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlainFile } from './plain-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passwordbroker-plain-'));
  await writeFile(join(folder, 'file'), 'content');
  await symlink(join(folder, 'file'), join(folder, 'link'));
  await mkdir(join(folder, 'folder'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
});
afterAll(() => rm(folder, { recursive: true }));

test('a regular file is opened and its size returned', async () => {
  const opened = await openPlainFile(join(folder, 'file'));
  expect([opened?.size, await opened?.file.readFile('utf8')]).toEqual([7, 'content']);
  await opened?.file.close();
});

test.each(['link', 'folder', 'pipe', 'nothing', 'file/below'])('a %s is not opened', async (name) => {
  expect(await openPlainFile(join(folder, name))).toBeNull();
});
