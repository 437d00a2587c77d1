import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { forge } from '../audit/testing/forge.ts';
import { startSealer } from '../audit/chain/sealer.ts';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { replaceBody } from '../testing/test-bodies.ts';
import { EXIT } from './command.ts';
import { runCommandLine } from './run.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const ada = await app.signUp('ada');
  const place = await createSealedPlace(ada);
  for (let n = 0; n < 3; n += 1) {
    const { members, body } = await sealedFileField(place);
    const multipart = new FormData();
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    await ada.call(fields.create, { params: place, multipart });
  }
  await startSealer(app.deps).stop();
});
afterAll(() => app.stop());

async function doctor() {
  const said: string[] = [];
  const told: string[] = [];
  const code = await runCommandLine(['doctor'], app.environment, {
    say: (line) => void said.push(line),
    tell: (line) => void told.push(line),
    secret: () => Promise.resolve(''),
    knownSecret: () => Promise.resolve(''),
  });
  return { code, said, told };
}

test('doctor reports an intact vault, and names each damage', async () => {
  expect(await doctor()).toEqual({
    code: EXIT.done,
    said: [
      'the database: whole',
      'passkeys: whole',
      'the audit log: whole',
      'sealed files: whole',
      'second factors: whole',
    ],
    told: [],
  });
  const bodies = await app.deps.db.read
    .selectFrom('field_revisions')
    .select(['body_sha256', 'field_id'])
    .where('body_sha256', 'is not', null)
    .orderBy('body_sha256')
    .execute();
  const [gone, changed] = bodies;
  await app.deps.bodies.remove(gone?.body_sha256 ?? '');
  await replaceBody(app, changed?.body_sha256 ?? '', Buffer.from('x'));
  await forge(
    app.deps,
    "update audit_log set event_type = 'logout' where audit_id = (select max(audit_id) from audit_log)",
  );
  const { user_id } = await app.deps.db.transact((tx) =>
    tx.updateTable('users').set({ factor_state: 'set' }).returning('user_id').executeTakeFirstOrThrow(),
  );
  const found = await doctor();
  expect([found.code, found.said]).toEqual([
    EXIT.failed,
    [
      'the database: whole',
      'passkeys: whole',
      'the audit log: DAMAGED',
      'sealed files: DAMAGED',
      'second factors: DAMAGED',
    ],
  ]);
  expect(found.told[0]).toContain('is not what was sealed');
  expect(found.told.slice(1)).toEqual([
    `  The file ${gone?.body_sha256} of field ${gone?.field_id} is missing.`,
    `  The file ${changed?.body_sha256} of field ${changed?.field_id} is not what was stored.`,
    `  The account ${user_id} should have a second factor, and has none: reset it.`,
  ]);
});

test('doctor reports a row with a missing reference', async () => {
  await withoutReferences(
    "update field_history set field_id = 'x' where field_edit_log_id = (select max(field_edit_log_id) from field_history)",
  );
  expect((await sql`select 1 from field_history where field_id = 'x'`.execute(app.deps.db.read)).rows).toHaveLength(1);
  const { said, told } = await doctor();
  expect(said[0]).toBe('the database: DAMAGED');
  expect(told[0]).toMatch(/^ {2}(Row \d+|1 row\(s\)) of field_history refers? to a row of fields that is not there\.$/);
});

/** Runs the statement with foreign keys off. */
async function withoutReferences(statement: string): Promise<void> {
  if (app.deps.db.dialect === 'postgres') {
    return app.deps.db.transact(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql.raw(statement).execute(tx);
    });
  }
  const { BetterSqlite } = await import('../db/sqlite/connections.ts');
  const raw = new BetterSqlite(app.deps.db.path);
  raw.pragma('foreign_keys = OFF');
  raw.exec(statement);
  raw.close();
}
