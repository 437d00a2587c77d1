/** Imports a large vault exported by KeePassXC, with attachments of 1 MB, in the plain form. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpPlain } from '../server-crypto/testing/script.ts';
import type { Script } from '../server-crypto/testing/script.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { largeKeepassXml } from './testing/keepass-xml.ts';
import { exportedByKeepassxc, hasKeepassxc } from './testing/keepassxc-export.ts';

const ENTRIES = 5000;

let app: TestApp;
let ada: Script;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUpPlain(app.guest(), 'ada');
});
afterAll(() => app.stop());

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

test.skipIf(!hasKeepassxc)(
  `${ENTRIES} entries exported by KeePassXC${hasKeepassxc ? '' : ' (skipped: keepassxc-cli is not installed)'}`,
  { timeout: 120_000 },
  async () => {
    const holders = ['Service 99', 'Service 4999'];
    const { xml, attachment } = exportedByKeepassxc(largeKeepassXml(ENTRIES), holders);
    const multipart = new FormData();
    multipart.append('master_password', ada.masterPassword);
    multipart.append('file', new Blob([new Uint8Array(xml)]), 'vault.xml');
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
