/**
 * Forged archives are refused within limits, and nothing is written outside the scratch folder (T86, T87,
 * R21).
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { Encrypter, Stanza, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { openIdentity } from './age.ts';
import { restoreInto } from '../testing/archive.ts';
import { entry, forgeOf, withDigests } from '../testing/forge.ts';
import type { Forge } from '../testing/forge.ts';
import { readThrough } from '../testing/read-through.ts';
import { pack } from '../testing/repack.ts';
import type { Entry } from '../testing/repack.ts';
import { fillVault, sealAll } from '../testing/vault.ts';

let app: TestApp;
let forge: Forge;
beforeAll(async () => {
  app = await startTestApp();
  await fillVault(app);
  await sealAll(app);
  forge = await forgeOf(app);
});
afterAll(() => app.stop());

const outside = () => join(app.dataDir, 'escaped');
const at = (name: string) => forge.entries.findIndex(({ header }) => header.name === name);
const atPrefix = (prefix: string) => forge.entries.findIndex(({ header }) => header.name.startsWith(prefix));
const refused = (made: readonly Entry[]) => forge.refused(made);
const changed = (name: string, change: (text: string) => string) => forge.changed(name, change);

test('an unchanged archive passes through the tools of this test and is accepted', async () => {
  expect(await refused(forge.entries)).toBeNull();
});

test.each([
  ['a path with .. at its start', () => entry('../escaped', 'x')],
  ['an absolute path', () => entry(outside(), 'x')],
  ['a path with .. after a valid folder', () => entry('bodies/../../escaped', 'x')],
  ['a symbolic link', () => entry('bodies/link', '', { type: 'symlink', linkname: outside() })],
  [
    'a symbolic link with a valid name',
    () => entry(`bodies/${'f'.repeat(64)}`, '', { type: 'symlink', linkname: '/etc/passwd' }),
  ],
  ['a hard link', () => entry(`bodies/${'f'.repeat(64)}`, '', { type: 'link', linkname: '/etc/passwd' })],
  ['a folder', () => entry('bodies', '', { type: 'directory' })],
  ['a device', () => entry('bodies/device', '', { type: 'character-device' })],
  ['a name of a thousand characters', () => entry(`bodies/${'a'.repeat(1000)}`, 'x')],
  ['a second passwordbroker.json', () => forge.entries[0] ?? entry('')],
  ['the same file twice', () => forge.entries[atPrefix('bodies/')] ?? entry('')],
  ['a repeated table', () => forge.entries[atPrefix('tables/users/')] ?? entry('')],
  ['a file whose digest differs from its name', () => entry(`bodies/${'f'.repeat(64)}`, 'x')],
  ['an internal table of the database engine', () => entry('tables/sqlite_master/000001.ndjson', '{}\n')],
  ['the table of migrations', () => entry('tables/schema_migrations/000001.ndjson', '{}\n')],
])('T86: an archive with %s is refused', async (_name, make) => {
  expect(await refused(forge.withEntry(make()))).toMatchObject({ fault: 'damaged' });
  expect(existsSync(outside())).toBe(false);
});

test('rows with unknown columns, wrong types, __proto__ or missing references are refused', async () => {
  const faults: unknown[] = [];
  for (const change of [
    (text: string) => text.replace('"name":', '"x":'),
    (text: string) => text.replace('"name":', '"more":1,"name":'),
    (text: string) => text.replace('"is_admin":1', '"is_admin":7'),
    (text: string) => text.replace('"is_admin":1', '"is_admin":{"b64":"AA=="}'),
    (text: string) => text.replace('"is_admin":1', '"is_admin":[1]'),
    (text: string) => text.replace('"name":', '"__proto__":{"x":1},"name":'),
    (text: string) => text.slice(0, -1),
    () => 'x\n',
  ]) {
    faults.push((await refused(changed('tables/users/', change)))?.fault);
  }
  faults.push(
    (
      await refused(
        changed('tables/entries/', (text) => text.replaceAll(/"entry_group_id":"./g, '"entry_group_id":"z')),
      )
    )?.fault,
  );
  faults.push((await refused(forge.entries.filter((one) => !one.header.name.startsWith('bodies/'))))?.fault);
  faults.push((await refused(forge.entries.filter((one) => one.header.name !== 'manifest.json')))?.fault);
  faults.push(
    (await refused(changed('manifest.json', (text) => text.replace('"rows": 1', '"rows": 9007199254740991'))))?.fault,
  );
  expect(faults).toEqual(faults.map(() => 'damaged'));
});

test('audit entries, sealed values and signatures are checked during the restore', async () => {
  const swap = (name: string, from: RegExp, to: string) => withDigests(changed(name, (text) => text.replace(from, to)));
  expect(
    await refused(swap('tables/audit_log/', /"event_type":"user_created"/, '"event_type":"logout"')),
  ).toMatchObject({
    fault: 'damaged',
  });
  expect(await refused(swap('tables/field_revisions/', /"value":\{"b64":"UEIx/, '"value":{"b64":"UEIy'))).toMatchObject(
    {
      detail: 'a sealed value in field_revisions',
    },
  );
  expect(
    await refused(swap('tables/group_rosters/', /"sig":\{"b64":"[A-Za-z0-9+/]{4}/, '"sig":{"b64":"AAAA')),
  ).toMatchObject({
    detail: 'the signature of a roster',
  });
});

test('an archive of a newer schema or format is refused as newer', async () => {
  const beginning = (change: (value: Record<string, unknown>) => object) =>
    changed('passwordbroker.json', (text) => JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)));
  const laterSchema = beginning((value) => ({ ...value, schema: [...(value['schema'] as string[]), '9999-later'] }));
  expect(await refused(laterSchema)).toMatchObject({ fault: 'newer' });
  expect(await refused(beginning((value) => ({ ...value, format: 2, what: 'ever' })))).toMatchObject({
    fault: 'newer',
  });
  expect(await refused(beginning((value) => ({ ...value, schema: ['0002-departures'] })))).toMatchObject({
    fault: 'damaged',
  });
});

test('archives of other products, other tar files and other age files are refused as foreign', async () => {
  const faultOf = async (bytes: Uint8Array) => {
    await writeFile(`${forge.plain}.foreign`, bytes);
    return restoreInto(`${forge.plain}.foreign`).then(
      () => null,
      (error: { fault?: string }) => error.fault,
    );
  };
  expect(
    await refused(changed('passwordbroker.json', (text) => text.replace('PasswordBroker', 'Other'))),
  ).toMatchObject({
    fault: 'foreign',
  });
  expect(await faultOf(gzipSync('a text'))).toBe('foreign');
  expect(await faultOf(gzipSync(Buffer.alloc(2048)))).toBe('foreign');
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(await generateX25519Identity()));
  expect(await faultOf(await encrypter.encrypt('x'))).toBe('foreign');
});

test('an archive that demands an expensive password derivation is refused before the derivation runs', async () => {
  const stanza = new Stanza(['scrypt', 'AAAAAAAAAAAAAAAAAAAAAA', '30'], new Uint8Array(32));
  const dear = new Encrypter();
  dear.addRecipient({ wrapFileKey: () => [stanza] });
  const sealed = await dear.encrypt('AGE-SECRET-KEY-1');
  const started = performance.now();
  await expect(openIdentity(sealed, 'any')).rejects.toMatchObject({ fault: 'damaged' });
  expect(performance.now() - started).toBeLessThan(1000);
});

test('T87: a decompression bomb is refused once its unpacked size exceeds the limit', async () => {
  const [beginning = entry('')] = forge.entries;
  const portions = (count: number) =>
    Array.from({ length: count }, (_, part) => ({
      header: { name: `tables/site_settings/${String(part + 1).padStart(6, '0')}.ndjson` },
      bytes: Buffer.alloc(15 * 1024 * 1024, ' '),
    }));
  const path = await pack(`${forge.plain}.bomb`, [beginning, ...portions(20)]);
  expect((await readFile(path)).length).toBeLessThan(2 * 1024 * 1024);
  expect(await readThrough(path)).toBe('damaged: unpacks to far too much');
  // A single part of this size is accepted; only the sum is refused.
  expect(await readThrough(await pack(path, [beginning, ...portions(1)]))).toBe('damaged: no manifest');
  // An entry whose declared size exceeds the limit is not read.
  expect(at('passwordbroker.json')).toBe(0);
  const huge = { header: { name: `bodies/${'f'.repeat(64)}` }, bytes: Buffer.alloc(65 * 1024 * 1024) };
  expect(await refused([...forge.entries.slice(0, -1), huge])).toMatchObject({ detail: 'size of an entry' });
});
