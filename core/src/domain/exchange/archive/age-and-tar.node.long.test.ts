/** EX3: the real `age` and `tar` open our archive as docs/export-format.md says. Skipped where they are not installed. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../../../crypto/stream.ts';
import { fileArgon2 } from '../file-argon2.ts';
import type { ExchangeTree } from '../tree.ts';
import { writeArchive } from './write-archive.ts';

const PASSWORD = 'only-for-this-file';
const NOW = Date.UTC(2026, 5, 1);

const isThere = (command: string, given: string) => spawnSync(command, [given]).status === 0;
// `age` reads a passphrase from a terminal only; `script` is one.
const missing = ['age', 'tar', 'script', 'sha256sum'].filter((command) => !isThere(command, '--version'));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const TREE: ExchangeTree = {
  groups: [{ name: 'Team', parent: null, created: NOW, modified: NOW }],
  entries: [
    {
      group: 0,
      title: 'Router',
      tags: [],
      expires: null,
      created: NOW,
      modified: NOW,
      fields: [
        {
          type: 'password',
          revisions: [{ content: { type: 'password', title: 'Password', login: 'ada', value: 's3cret' }, at: NOW }],
        },
        {
          type: 'file',
          revisions: [
            {
              content: { type: 'file', title: 'f', name: 'a.txt', bytes: new TextEncoder().encode('content\n') },
              at: NOW,
            },
          ],
        },
      ],
    },
  ],
  skipped: [],
};

/** The shell commands of the documentation. */
async function documented(): Promise<string> {
  const text = await readFile(fileURLToPath(new URL('../../../../../docs/export-format.md', import.meta.url)), 'utf8');
  return /```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
}

/** Types the passphrase when it is asked for. */
function inTerminal(command: string, answer: string): Promise<string> {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    if (/passphrase:/i.test(piece.toString()) && !/passphrase:/i.test(output)) child.stdin.write(`${answer}\n`);
    output += piece.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}

test.skipIf(missing.length > 0)(
  `EX3: age and tar open it${missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`}`,
  { timeout: 120_000 },
  async () => {
    const archive = await collect(writeArchive(TREE, { password: PASSWORD, now: NOW, argon2: fileArgon2 }));
    await writeFile(join(folder, 'export.pbx'), archive);
    await writeFile(join(folder, 'open.sh'), await documented());
    const output = await inTerminal('sh -e open.sh', PASSWORD);
    expect(output).toContain('Router');
    expect(output).toContain('s3cret');
    expect((await readdir(join(folder, 'export'))).toSorted()).toEqual([
      'entries',
      'files',
      'groups.ndjson',
      'manifest.json',
      'passwordbroker-export.json',
    ]);
    const [file = ''] = await readdir(join(folder, 'export', 'files'));
    expect(await readFile(join(folder, 'export', 'files', file), 'utf8')).toBe('content\n');
  },
);
