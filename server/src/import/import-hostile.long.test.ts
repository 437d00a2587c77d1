/** Hostile and broken files (threats T58–T62): a clear error, no change, and no delay for other people. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { keepassXml } from './testing/keepass-xml.ts';

let app: TestApp;
let ada: SignedIn;
let rows: unknown;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  rows = await snapshot();
});
afterAll(() => app.stop());

const TABLES = ['entry_groups', 'entries', 'fields', 'field_revisions', 'field_history', 'operations'] as const;
const snapshot = () => Promise.all(TABLES.map((table) => app.deps.db.read.selectFrom(table).selectAll().execute()));

async function send(file: Buffer) {
  const multipart = new FormData();
  multipart.append('master_password', ada.masterPassword);
  multipart.append('file', new File([new Uint8Array(file)], 'vault.xml'));
  return ada.request({ path: '/import', multipart });
}

const NOT_KEEPASS = 'The file is not a KeePass XML 2.x file.';
const UNREADABLE = /^The file could not be read: .+\.$/;

const good = keepassXml({ name: 'Root', entries: [{ title: 'Mail', password: 'secret' }] }).toString();
const withDoctype = (doctype: string, use = '') =>
  Buffer.from(good.replace('?>', `?>${doctype}`).replace('secret', `secret${use}`));
const nested = (depth: number) =>
  Buffer.from(
    `<?xml version="1.0"?><KeePassFile><Meta/><Root>${'<Group><Name>g</Name>'.repeat(depth)}${'</Group>'.repeat(depth)}</Root></KeePassFile>`,
  );
const attachment = (value: string, attributes: string) =>
  Buffer.from(
    good
      .replace('<Meta>', `<Meta><Binaries><Binary ID="0"${attributes}>${value}</Binary></Binaries>`)
      .replace('</Entry>', '<Binary><Key>a.bin</Key><Value Ref="0"/></Binary></Entry>'),
  );
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024)).toString('base64');

describe('a broken file is refused and changes nothing', () => {
  test.each<[string, Buffer, string | RegExp]>([
    ['nothing', Buffer.alloc(0), UNREADABLE],
    ['no XML', Buffer.from('hello'), NOT_KEEPASS],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), NOT_KEEPASS],
    ['another XML', Buffer.from('<?xml version="1.0"?><html><body/></html>'), NOT_KEEPASS],
    ['a file that ends early', Buffer.from(good.slice(0, -30)), UNREADABLE],
    ['the last entry broken (T62)', Buffer.from(good.replace('</Entry>', '</Entri>')), UNREADABLE],
    [
      'a document type with an external entity (T58)',
      withDoctype('<!DOCTYPE k [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
      UNREADABLE,
    ],
    [
      'a parameter entity (T58)',
      withDoctype('<!DOCTYPE k [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>'),
      UNREADABLE,
    ],
    ['an external DTD (T58)', withDoctype('<!DOCTYPE k SYSTEM "http://127.0.0.1:1/x.dtd">'), UNREADABLE],
    [
      'entities in entities (T59)',
      withDoctype(
        `<!DOCTYPE k [<!ENTITY a "aaaa">${Array.from({ length: 20 }, (_, at) => `<!ENTITY b${at} "${(at === 0 ? '&a;' : `&b${at - 1};`).repeat(10)}">`).join('')}]>`,
        '&b19;',
      ),
      UNREADABLE,
    ],
    ['an undeclared entity', withDoctype('', '&unknown;'), UNREADABLE],
    ['a gzip bomb in an attachment (T60)', attachment(bomb, ' Compressed="True"'), UNREADABLE],
    ['an attachment that is not gzip', attachment('AAAA', ' Compressed="True"'), UNREADABLE],
    ['an attachment that is not base64', attachment('%%%', ''), UNREADABLE],
    ['depth 10,000 (T61)', nested(10_000), UNREADABLE],
    ['depth 100,000 (T61)', nested(100_000), UNREADABLE],
    [
      'a million groups (T61)',
      Buffer.from(good.replace('</Root>', `${'<Group/>'.repeat(1_000_000)}</Root>`)),
      UNREADABLE,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(good.slice(0, 120)), Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from(good.slice(120))]),
      UNREADABLE,
    ],
  ])('%s', async (_, file, text) => {
    const started = performance.now();
    const answer = await send(file);
    expect(answer.status, answer.text).toBe(422);
    const [told] = answer.json<{ errors: { file: string[] } }>().errors.file;
    if (typeof text === 'string') expect(told).toBe(text);
    else expect(told).toMatch(text);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await snapshot()).toEqual(rows);
  });
});

test('no file makes the server open a connection (T58)', async () => {
  let connections = 0;
  const trap = createServer((_request, response) => response.end()).on('connection', () => (connections += 1));
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const address = trap.address();
  const origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  await send(withDoctype(`<!DOCTYPE k SYSTEM "${origin}/x.dtd" [<!ENTITY e SYSTEM "${origin}/e">]>`, '&e;'));
  trap.close();
  expect(connections).toBe(0);
});

test('other requests are answered at once while a large file is read', async () => {
  const big = send(Buffer.from(good.replace('</Root>', `${'<Group><Name>x</Name></Group>'.repeat(3000)}</Root>`)));
  let longest = 0;
  let isOver = false;
  void big.finally(() => (isOver = true));
  while (!isOver) {
    const started = performance.now();
    await ada.request({ path: '/identity/api/me' });
    longest = Math.max(longest, performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await big;
  expect(longest).toBeLessThan(500);
});

test('a file is read the same as UTF-16 and with a byte order mark', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good.replace('utf-8', 'utf-16'), 'utf16le')]);
  expect((await send(utf16)).status).toBe(201);
  expect((await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)]))).status).toBe(201);
});
