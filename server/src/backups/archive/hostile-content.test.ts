/**
 * Archives with a valid format and invalid content are refused before anything leaves the scratch folder
 * (T86, T87).
 */
import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomText, sha256 } from '../../platform/ids-and-digests.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { restoreArchive } from '../restore/restore-archive.ts';
import { rowsOf } from './archive-format.ts';
import { restoreInto } from '../testing/archive.ts';
import { entry, forgeOf, withDigests } from '../testing/forge.ts';
import type { Forge } from '../testing/forge.ts';
import { readThrough } from '../testing/read-through.ts';
import { pack, packBytes, tarOf } from '../testing/repack.ts';
import type { Entry } from '../testing/repack.ts';
import { fillVault, sealAll } from '../testing/vault.ts';

let app: TestApp;
let forge: Forge;
beforeAll(async () => {
  app = await startTestApp();
  await fillVault(app, ['ada', 'bob']);
  await sealAll(app);
  forge = await forgeOf(app);
});
afterAll(() => app.stop());

const without = (prefix: string) => forge.entries.filter(({ header }) => !header.name.startsWith(prefix));
const detailOf = async (made: readonly Entry[]) => (await forge.refused(made))?.detail ?? 'restored';

/** Reason of the refused restore, and the files it left below `bodies`. */
async function leftBy(made: readonly Entry[]) {
  const scratchDir = join(tmpdir(), `passwordbroker-scratch-${randomText(9)}`);
  const path = await pack(`${forge.plain}.forged`, made);
  const error = await restoreArchive({ path, opener: null, scratchDir, keepBodies: true, now: 0 }).then(
    () => null,
    (reason: { fault: string; detail: string }) => reason,
  );
  const written = await readdir(join(scratchDir, 'bodies'));
  await rm(scratchDir, { recursive: true });
  return { fault: error?.fault, detail: error?.detail, written };
}

test('a valid archive is accepted, also with recomputed digests', async () => {
  expect(await detailOf(withDigests(forge.entries))).toBe('restored');
});

test('a file that no revision names, or of another size, is not written', async () => {
  const named = forge.entries.find(({ header }) => header.name.startsWith('bodies/'));
  const name = named?.header.name ?? '';
  let [unnamed, unnamedName] = [randomBytes(100), 'bodies/g'];
  // The unnamed file must sort before the named one.
  while (unnamedName >= name) {
    unnamed = randomBytes(100);
    unnamedName = `bodies/${sha256(unnamed).toString('hex')}`;
  }
  const at = forge.entries.findIndex(({ header }) => header.name === name);
  const strange = [...forge.entries.slice(0, at), entry(unnamedName, unnamed), ...forge.entries.slice(at)];
  const refusal = { fault: 'damaged', detail: 'a file that no revision names, or another one', written: [] };
  expect(await leftBy(withDigests(strange))).toEqual(refusal);
  const longer = { header: { name }, bytes: Buffer.concat([named?.bytes ?? Buffer.alloc(0), Buffer.alloc(1)]) };
  expect(await leftBy(withDigests(forge.entries.map((one, here) => (here === at ? longer : one))))).toEqual(refusal);
});

test('R7: files are not written if the disk has no room for them', async () => {
  const more = forge.changed('tables/field_revisions/', (text) => {
    const line = text.split('\n').find((one) => !one.includes('"body_sha256":null') && one !== '') ?? '';
    const row = JSON.parse(line) as Record<string, unknown>;
    const huge = { ...row, rev: 2, body_sha256: 'f'.repeat(64), body_size: 2 ** 50 };
    return `${text}${JSON.stringify(huge)}\n`;
  });
  expect(await leftBy(withDigests(more))).toEqual({ fault: 'space', detail: 'files', written: [] });
});

test('T87: each file counts with its minimum size on disk, however small it is', async () => {
  const names = Array.from({ length: 5000 }, (_, at) => entry(`bodies/${at.toString(16).padStart(64, '0')}`, 'x'));
  const [beginning = entry('')] = forge.entries;
  const path = await pack(`${forge.plain}.many`, [beginning, ...names]);
  expect(await readThrough(path)).toBe('damaged: unpacks to far too much');
});

test('a missing table and an excluded table are refused', async () => {
  const lacking = async (table: string) =>
    detailOf(
      withDigests(without(`tables/${table}/`), (manifest) => {
        const { [table]: _, ...tables } = manifest.tables;
        return { ...manifest, tables };
      }),
    );
  const refusal = 'the tables are not those of the manifest';
  // A table without rows and one with rows.
  expect(await lacking('departures')).toBe(refusal);
  expect(await lacking('field_history')).toBe(refusal);
  const lease = entry('tables/leases/000001.ndjson', '{"name":"x","owner":null,"heartbeat":1,"due_at":0}\n');
  const first = forge.entries.findIndex(({ header }) => header.name.startsWith('bodies/'));
  const more = [...forge.entries.slice(0, first), lease, ...forge.entries.slice(first)];
  expect(await detailOf(withDigests(more))).toBe('a table that none of ours has');
});

test('counts and an audit log head that differ from the manifest are refused', async () => {
  const said = (change: (manifest: Record<string, unknown>) => object) =>
    detailOf(withDigests(forge.entries, (manifest) => change(manifest)));
  for (const name of ['users', 'files']) {
    const wrong = await said(({ counts, ...rest }) => ({ ...rest, counts: { ...(counts as object), [name]: 77 } }));
    expect([name, wrong]).toEqual([name, 'the counts are not those of the manifest']);
  }
  const refusal = 'the head of the audit log is not that of the manifest';
  expect(await said((manifest) => ({ ...manifest, audit_head: null }))).toBe(refusal);
  expect(await said((manifest) => ({ ...manifest, audit_head: { seq: 1, hash: '0'.repeat(64) } }))).toBe(refusal);
});

test('values that no engine accepts, or only some engines, are refused', async () => {
  const inUsers = (from: RegExp, to: string) =>
    detailOf(withDigests(forge.changed('tables/users/', (text) => text.replace(from, () => to))));
  expect(await inUsers(/"name":"/, '"name":"a\\u0000')).toBe('a row of users');
  expect(await inUsers(/"epoch":\d+/, '"epoch":9007199254740993')).toBe('a row of users');
  expect(await inUsers(/"epoch":\d+/, '"epoch":"one"')).toMatch(/^users: SQLITE_CONSTRAINT/);
  expect(await inUsers(/"user_id":"[^"]+"/, '"user_id":null')).toMatch(/^users: SQLITE_CONSTRAINT/);
});

test('lines that are not rows are refused', () => {
  const columns = new Set(['name', 'epoch']);
  const read = (text: string | Buffer) => rowsOf(Buffer.from(text), columns);
  expect(read('{"name":"ada","epoch":1}\n')).toEqual([{ name: 'ada', epoch: 1 }]);
  for (const value of ['9007199254740993', '1.5', '1e400', 'true', '[]', '{}', '{"b64":"A"}', '{"b64":"","x":1}']) {
    expect(read(`{"name":"ada","epoch":${value}}\n`), value).toBeNull();
  }
  for (const name of ['a\\u0000', '\\ud800', '\\udc00\\ud800'])
    expect(read(`{"name":"${name}","epoch":1}\n`), name).toBeNull();
  const whole = '{"name":"ada","epoch":1}\n';
  for (const text of [`\n${whole}`, `\ufeff${whole}`, `${whole}\n`, whole.trim(), `${'['.repeat(100_000)}\n`]) {
    expect(read(text), text.slice(0, 40)).toBeNull();
  }
  expect(
    read(Buffer.concat([Buffer.from(whole.slice(0, 9)), Buffer.from([0xff]), Buffer.from(whole.slice(9))])),
  ).toBeNull();
});

test('duplicate rows and rows with missing references are refused', async () => {
  const twice = withDigests(forge.changed('tables/entries/', (text) => `${text}${text.split('\n')[0] ?? ''}\n`));
  expect(await detailOf(twice)).toBe('entries: SQLITE_CONSTRAINT_PRIMARYKEY');
  // Removes the rows that other rows refer to.
  for (const table of ['users', 'entry_groups', 'fields']) {
    const lost = withDigests(
      forge.entries.map((one) =>
        one.header.name.startsWith(`tables/${table}/`) ? { ...one, bytes: Buffer.from('') } : one,
      ),
    );
    expect(await detailOf(lost), table).toMatch(/SQLITE_CONSTRAINT_FOREIGNKEY|refers to a row/);
  }
});

test('a group with a wrong path and a field without its current value are refused', async () => {
  const child = (text: string) => {
    const [line = ''] = text.split('\n');
    const row = JSON.parse(line) as Record<string, unknown>;
    const own = '01890000-0000-7000-8000-000000000001';
    // A group that is its own parent: a walk up from it would never end.
    const circle = {
      ...row,
      entry_group_id: own,
      parent_entry_group_id: own,
      materialized_path: `${own}.${own}`,
      roster_seq: null,
    };
    return `${text}${JSON.stringify(circle)}\n`;
  };
  const counted = (made: readonly Entry[]) =>
    withDigests(made, (manifest) => ({ ...manifest, counts: { ...manifest.counts, entry_groups: 2 } }));
  expect(await detailOf(counted(forge.changed('tables/entry_groups/', child)))).toBe('the path of a group');
  const hollow = forge.changed('tables/fields/', (text) => text.replace(/"rev":\d+/, '"rev":77'));
  expect(await detailOf(withDigests(hollow))).toBe('a field without its value');
});

test.each([
  ['a Cyrillic letter that looks like a Latin one', 'tables/usеrs/000001.ndjson'],
  ['fullwidth letters', 'tables/ｕsers/000001.ndjson'],
  ['an invisible character', 'tables/users\u200b/000001.ndjson'],
  ['a combining character', 'tables/use\u0301rs/000001.ndjson'],
  ['capitals', 'Tables/Users/000001.ndjson'],
  ['a ./ in the path', 'tables/./users/000001.ndjson'],
  ['two slashes', 'tables//users/000001.ndjson'],
  ['a backslash', 'tables\\users\\000001.ndjson'],
  ['digits of another script', `bodies/${'٠'.repeat(64)}`],
  ['uppercase hex digits', `bodies/${'F'.repeat(64)}`],
  ['a trailing line break', `bodies/${'f'.repeat(64)}\n`],
  ['part number zero', 'tables/users/000000.ndjson'],
  ['a gap in the part numbers', 'tables/users/001000.ndjson'],
  ['__proto__ as the table', 'tables/__proto__/000001.ndjson'],
])('T86: an entry name with %s is refused', async (_what, name) => {
  const path = await pack(`${forge.plain}.names`, forge.withEntry(entry(name, 'x')));
  expect(await readThrough(path)).toMatch(
    /^damaged: (an entry that none of ours has|order of the entries|a table comes twice|tar )/,
  );
});

test('T86: tar headers that the format allows and our archives do not use are refused', async () => {
  const whole = await tarOf(forge.plain);
  const changedHead = async (change: (head: Buffer) => void, isSummed = true) => {
    const bytes = Buffer.from(whole);
    const second = 512 + Math.ceil(Number.parseInt(bytes.toString('latin1', 124, 135), 8) / 512) * 512;
    const head = bytes.subarray(second, second + 512);
    change(head);
    if (isSummed) {
      head.fill(' ', 148, 156);
      head.write(
        `${head
          .reduce((sum, byte) => sum + byte, 0)
          .toString(8)
          .padStart(6, '0')}\0 `,
        148,
        'latin1',
      );
    }
    return readThrough(await packBytes(`${forge.plain}.heads`, bytes));
  };
  expect(await changedHead(() => {})).toBe('read');
  expect(await changedHead((head) => head.writeUInt8((head[0] ?? 0) ^ 1, 0), false)).toBe('damaged: tar checksum');
  // A size in base-256 form may be negative or unbounded.
  expect(await changedHead((head) => head.fill(0xff, 124, 136))).toBe('damaged: tar number');
  expect(await changedHead((head) => void head.write('../../../etc', 345, 'latin1'))).toBe('damaged: tar entry kind');
  expect(await changedHead((head) => void head.write('/etc/passwd', 157, 'latin1'))).toBe('damaged: tar entry kind');
  for (const kind of ['1', '2', '3', '4', '5', '6', '7', 'L', 'K', 'x', 'g', 'S', 'V', '\0']) {
    expect([kind, await changedHead((head) => void head.write(kind, 156, 'latin1'))]).toEqual([
      kind,
      'damaged: tar entry kind',
    ]);
  }
});

test('a password for an unencrypted archive is refused', async () => {
  await expect(restoreInto(forge.plain, 'any')).rejects.toMatchObject({ fault: 'unencrypted' });
  await writeFile(`${forge.plain}.other`, gzipSync('of somebody else'));
  await expect(restoreInto(`${forge.plain}.other`, 'any')).rejects.toMatchObject({ fault: 'foreign' });
});

test('an overlong gzip or age header is refused', async () => {
  const long = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(4 * 1024 * 1024, 'name'),
    Buffer.from([0]),
  ]);
  const faultOf = async (bytes: Buffer) => {
    await writeFile(`${forge.plain}.long`, bytes);
    return restoreInto(`${forge.plain}.long`, null).then(
      () => null,
      ({ fault }: { fault: string }) => fault,
    );
  };
  expect(await faultOf(long)).toMatch(/foreign|damaged/);
  const stanzas = Buffer.from(`age-encryption.org/v1\n${'-> X25519 AAAA\nAAAA\n'.repeat(100_000)}--- AAAA\n`);
  expect(await faultOf(stanzas)).toBe('damaged');
});
