/**
 * The database refuses numbers below their minimum, and doctor reports such rows from before the check (T122,
 * M41).
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { createSealedPlace, sealedFileField } from '../../testing/sealed-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { findDamage } from '../integrity.ts';
import { LEAST } from './migrations/0030-trust.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const ada = await app.signUp('ada');
  const place = await createSealedPlace(ada);
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  await ada.call(fields.create, { params: place, multipart });
  const document = { user_id: ada.userId, name: 'pins', n: 1, blob: Buffer.from('any') };
  await app.deps.db.transact((tx) => tx.insertInto('user_documents').values(document).execute());
});
afterAll(() => app.stop());

const run = (statement: string) => app.deps.db.transact((tx) => sql.raw(statement).execute(tx));
const count = async (table: string) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(app.deps.db.read);
  return rows[0]?.n ?? 0;
};

describe.each(LEAST)('T122 %s.%s at least %i', (table, column, least) => {
  const tooSmall = [least - 1, -1, -(2 ** 31)];

  test('no update stores a smaller value', async () => {
    expect(await count(table)).toBeGreaterThan(0);
    for (const value of tooSmall)
      await expect(run(`update ${table} set ${column} = ${value}`)).rejects.toThrow(/check/);
    expect(await findDamage(app.deps.db)).toEqual([]);
  });

  test('no insert stores a smaller value', async () => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} limit 1`.execute(
      app.deps.db.read,
    );
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((name) => (name === column ? String(least - 1) : name));
    const copied = `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table} limit 1`;
    await expect(run(copied)).rejects.toThrow(/check/);
  });
});

test('a roster that claims a key proof is not stored without one', async () => {
  await expect(run('update group_rosters set proof = null')).rejects.toThrow(/check/);
});

test('a row from before the check stays, and doctor reports it', async () => {
  const guard =
    app.deps.db.dialect === 'sqlite'
      ? 'drop trigger group_grants_gk_version_least_update'
      : 'alter table group_grants drop constraint group_grants_gk_version_least';
  await run(guard);
  await run('update group_grants set gk_version = 0');
  expect(await findDamage(app.deps.db)).toEqual([
    '1 row(s) of group_grants have a gk_version below 1: no client opens what is under it.',
  ]);
});
