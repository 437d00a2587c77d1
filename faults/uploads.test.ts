/** Uploads and imports that are interrupted (R16, R17, R18). */
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { largeKeepassXml } from '../server/src/import/testing/keepass-xml.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';

let server: RunningServer;
let ada: Caller;
let fields: string;
beforeEach(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'fatal' } });
  ada = await signUp(server);
  const groupId = await addGroup(ada, 'Vault');
  const path = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  fields = `${path}/${entry_id}/fields`;
});
afterEach(() => server.stop());

/** Files besides the database, with their sizes. */
const files = () =>
  readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/sqlite|process\.lock/.test(name) && statSync(join(server.dataDir, name)).isFile())
    .sort();

async function uploadUpTo(share: number): Promise<void> {
  const form = new FormData();
  form.append('type', 'file');
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob([new Uint8Array(8_000_000).fill(7)]), 'large.bin');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const head = [
    `POST ${fields} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(ada.headers()).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${encoded.headers.get('content-type') ?? ''}`,
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => resolve());
    socket.write(head);
    socket.write(body.subarray(0, Math.floor(body.length * share)), () => {
      setTimeout(() => {
        socket.destroy();
        resolve();
      }, 300);
    });
  });
}

test.each([0.1, 0.5, 0.99])(
  'a client that disconnects at %f of an upload leaves no row and no file (R16)',
  async (share) => {
    const before = files();
    await uploadUpTo(share);
    await expect.poll(files, { timeout: 60_000 }).toEqual(before);
    expect(await ada.accepted<unknown[]>('GET', fields)).toEqual([]);
  },
);

test('a server that is killed during an upload leaves nothing, and the next attempt succeeds (R17)', async () => {
  const dying = uploadUpTo(0.7);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await server.kill();
  await dying;
  await server.restart();
  expect(await ada.accepted<unknown[]>('GET', fields)).toEqual([]);
  const form = new FormData();
  form.append('type', 'file');
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob(['content']), 'small.txt');
  expect((await ada.send('POST', fields, form)).status).toBe(201);
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
});

test('an import that is killed at each tenth of its duration is stored completely or not at all (R18)', async () => {
  const xml = largeKeepassXml(1500);
  const send = () => {
    const form = new FormData();
    form.append('master_password', MASTER_PASSWORD);
    form.append('file', new Blob([new Uint8Array(xml)]), 'vault.xml');
    return ada.send('POST', '/import', form);
  };
  const trees = async () =>
    (await ada.accepted<{ trees: { title: string }[] }>('GET', `${BASE}/entryGroupsAsTree/`)).trees.map(
      ({ title }) => title,
    );
  const found = async () => (await ada.accepted<{ total: number }>('GET', `${BASE}/entrySearch?q=e&perPage=1`)).total;
  const few = await found();
  const began = Date.now();
  expect((await send()).status).toBe(201);
  const whole = Date.now() - began;
  const perImport = (await found()) - few;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const [before, known] = [await found(), await trees()];
    const importing = send();
    await new Promise((resolve) => setTimeout(resolve, (whole * tenth) / 10));
    await server.kill();
    const { status } = await importing;
    await server.restart();
    const isThere = (await trees()).length > known.length;
    expect(await found()).toBe(before + (isThere ? perImport : 0));
    if (status === 201) expect(isThere).toBe(true);
  }
});
