/** A large vault that KeePassXC itself has written, with attachments of a megabyte, through the plain form of the import (issue 2). */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpPlain } from '../server-crypto/testing/script.ts';
import type { Script } from '../server-crypto/testing/script.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { largeKeepassXml } from './testing/keepass-xml.ts';

const ENTRIES = 5000;
const PASSWORD = 'for this file alone';
const isThere = spawnSync('keepassxc-cli', ['--version']).status === 0;

let app: TestApp;
let ada: Script;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
  folder = await mkdtemp(join(tmpdir(), 'keepassxc-'));
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true, force: true });
});

const keepassxc = (command: string, ...more: readonly string[]) =>
  execFileSync('keepassxc-cli', [command, ...more], {
    input: `${PASSWORD}\n${PASSWORD}\n`,
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });

interface Row {
  readonly entry_id: string;
  readonly entry_group_id: string;
  readonly title: string;
  readonly passwords: readonly { readonly field_id: string }[];
  readonly files: readonly { readonly field_id: string; readonly file_name: string }[];
}
const search = async (q: string) =>
  (await ada.client.request({ path: `/passwordBroker/api/entrySearch?q=${encodeURIComponent(q)}` })).json<{
    data: readonly Row[];
    total: number;
  }>();

test.skipIf(!isThere)(
  `${ENTRIES} entries exported by KeePassXC${isThere ? '' : ' (skipped: keepassxc-cli is not installed)'}`,
  { timeout: 120_000 },
  async () => {
    const database = join(folder, 'vault.kdbx');
    const attachment = randomBytes(1_000_000);
    await writeFile(join(folder, 'source.xml'), largeKeepassXml(ENTRIES));
    await writeFile(join(folder, 'attachment.bin'), attachment);
    keepassxc('import', '-p', join(folder, 'source.xml'), database);
    const holders = ['Service 99', 'Service 4999'];
    const paths = keepassxc('ls', '-R', '-f', database).toString().split('\n');
    for (const holder of holders) {
      const path = paths.find((one) => one.endsWith(`/${holder}`)) ?? holder;
      keepassxc('attachment-import', database, path, 'large.bin', join(folder, 'attachment.bin'));
    }
    const exported = keepassxc('export', '-f', 'xml', database);

    const multipart = new FormData();
    multipart.append('master_password', ada.masterPassword);
    multipart.append('file', new Blob([new Uint8Array(exported)]), 'vault.xml');
    const answer = await ada.client.request({ path: '/passwordBroker/api/import', multipart });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()).toMatchObject({ kind: 'import', counts: { entries: ENTRIES }, skipped: [] });

    for (const holder of holders) {
      const { data } = await search(holder);
      const row = data.find(({ title }) => title === holder);
      const file = row?.files.find(({ file_name }) => file_name === 'large.bin');
      const place = { g: row?.entry_group_id ?? '', e: row?.entry_id ?? '', f: file?.field_id ?? '' };
      const opened = Buffer.from((await ada.decrypt(place)).text, 'base64');
      expect(opened.equals(attachment)).toBe(true);
    }
    const value = (await search('Service 1234')).data.find(({ title }) => title === 'Service 1234');
    const password = {
      g: value?.entry_group_id ?? '',
      e: value?.entry_id ?? '',
      f: value?.passwords[0]?.field_id ?? '',
    };
    expect(Buffer.from((await ada.decrypt(password)).text, 'base64').length).toBeGreaterThan(0);
  },
);
