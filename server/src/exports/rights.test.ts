/** The rights to begin an export, by role, kind of file and place. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as site from '@passwordbroker/core/contract/site/site';
import {
  EXPORT_BY,
  EXPORT_FORMATS,
  type ExportBy,
  isEncrypted,
} from '@passwordbroker/core/domain/exchange/export-formats';
import { ROLES } from '@passwordbroker/core/domain/policy';
import { BY_ITSELF } from '../audit/audit-log.ts';
import { portions } from '../db/portions.ts';
import { countStatements, everything, giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { type SignedIn, startTestApp, type TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { EXPORT_MOST } from './exports.ts';
import { startExport } from './start-export.ts';
import { exporting } from './testing/exporting.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let calls: ReturnType<typeof exporting>;
beforeAll(async () => {
  app = await startTestApp();
  calls = exporting(app);
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());
beforeEach(async () => {
  await calls.clear();
  [ada, bob] = [await app.signIn(ada), await app.signIn(bob)];
});

/** The settings need a fresh sign-in, as exports do. */
const set = async (body: { export_by?: ExportBy; export_plain?: boolean }) =>
  (await app.signIn(ada)).call(site.changeSettings, { body });

describe('who may export (EX4)', () => {
  let g: string;
  let f: string;
  beforeAll(async () => {
    g = await makeGroup(ada, 'Ops');
    f = await putField(app.deps, await putEntry(app.deps, g, 'Mail'), 'Root');
  });

  const RANK = { nobody: -1, admins: 0, moderators: 1, members: 2 };
  test.each(EXPORT_BY)('export_by %s: every role and kind of file', async (export_by) => {
    for (const role of [...ROLES, null]) {
      await app.deps.db.transact((tx) => tx.deleteFrom('group_members').where('user_id', '=', bob.userId).execute());
      if (role !== null) await giveRole(app.deps, g, bob.userId, role);
      for (const export_plain of [false, true]) {
        await set({ export_by, export_plain });
        for (const format of EXPORT_FORMATS) {
          const asked = calls.start(bob, { groups: [g] }, { format });
          const name = [export_by, role, export_plain, format].join(' ');
          const refused = (message: string, code = 'forbidden') =>
            expect(asked, name).rejects.toMatchObject({ code, message });
          if (export_by === 'nobody') await refused('Exports are switched off on this site');
          else if (!export_plain && !isEncrypted(format))
            await refused('Unencrypted exports are switched off on this site');
          else if (role === null) await refused('Not found', 'not_found');
          else if (ROLES.indexOf(role) > RANK[export_by]) {
            await refused('You may not export these groups');
            await expect(asked).rejects.toMatchObject({ details: { groups: [{ entry_group_id: g, name: 'Ops' }] } });
          } else {
            const { export_id, counts } = await asked;
            expect([name, counts.values]).toEqual([name, 1]);
            await calls.finish(bob, export_id, 'cancelled');
          }
        }
      }
    }
    expect(await calls.opened(f)).toEqual([]);
    await set({ export_by: 'admins', export_plain: false });
  });

  test('the least role counts in each group; groups below are those that the person can read', async () => {
    await set({ export_by: 'admins' });
    const child = await makeGroup(ada, 'Child', g);
    const hidden = await makeGroup(ada, 'Hidden', g);
    await giveRole(app.deps, g, bob.userId, 'admin');
    await giveRole(app.deps, child, bob.userId, 'moderator');
    await expect(calls.start(bob, { groups: [g], below: true })).rejects.toMatchObject({
      message: 'You may not export these groups',
      details: { groups: [{ entry_group_id: child, name: 'Child' }] },
    });
    await expect(calls.start(bob, { groups: [g, hidden] })).rejects.toMatchObject({ code: 'not_found' });
    const entry = await putEntry(app.deps, child, 'Below');
    await expect(calls.start(bob, { entries: [entry] })).rejects.toMatchObject({ code: 'forbidden' });
    await giveRole(app.deps, child, bob.userId, 'admin');
    const { export_id, counts } = await calls.start(bob, { groups: [g], below: true });
    expect(counts).toMatchObject({ entry_groups: 2, entries: 2, values: 1 });
    const { groups, entries, cursor } = await calls.outline(bob, export_id);
    expect(groups.map(({ name }) => name).toSorted()).toEqual(['Child', 'Ops']);
    expect(entries.map(({ title }) => title).toSorted()).toEqual(['Below', 'Mail']);
    expect(cursor).toBe(null);
  });

  test('groups below need as many statements for many chosen groups as for one', async () => {
    const tops = await Promise.all(['A', 'B', 'C', 'D'].map((name) => makeGroup(ada, name)));
    for (const top of tops) await makeGroup(ada, 'Below', top);
    const needs = async (groups: string[]) => {
      await calls.clear();
      return countStatements(app.deps, async (deps) => {
        const body = { scope: { groups, below: true }, format: 'kdbx' as const };
        const { counts } = await startExport({ deps, actor: ada, origin: BY_ITSELF }, body);
        expect(counts.entry_groups).toBe(groups.length * 2);
      });
    };
    expect(await needs(tops)).toBe(await needs(tops.slice(0, 1)));
  });

  test('refused without a proof, without a fresh sign-in, and with a token that may not read; nothing is stored', async () => {
    const path = '/passwordBroker/api/exports';
    const json = { scope: { groups: [g] }, format: 'kdbx' };
    const { token } = await ada.call(credentials.createToken, { body: { token_name: 'ci', scopes: ['offline'] } });
    const before = await everything(app.deps);
    expect((await ada.request({ method: 'POST', path, json })).json()).toMatchObject({ code: 'validation' });
    const authorization = `Bearer ${token}`;
    const byToken = await app.guest().request({ method: 'POST', path, json, headers: { authorization } });
    expect(byToken.json()).toMatchObject({ code: 'forbidden' });
    app.clock.advance(10 * MINUTE);
    await expect(calls.start(ada, { groups: [g] })).rejects.toMatchObject({ code: 'reauth_required' });
    expect(await everything(app.deps)).toBe(before);
    ada = await app.signIn(ada);
    const { export_id } = await calls.start(ada, { groups: [g] });
    // An export that has begun goes on, always with a proof.
    app.clock.advance(10 * MINUTE);
    const releases = `${path}/${export_id}/releases`;
    const bare = await ada.request({ method: 'POST', path: releases, json: { after: 0, limit: 1 } });
    expect(bare.json()).toMatchObject({ code: 'validation' });
    expect(await calls.opened(f)).toEqual([]);
    expect((await calls.release(ada, export_id)).releases).toHaveLength(1);
  });

  test('an empty scope, unknown things and too many entries are refused', async () => {
    const empty = 'Choose what to export.';
    for (const scope of [{}, { groups: [], entries: [] }])
      await expect(calls.start(ada, scope)).rejects.toMatchObject({ errors: { scope: [empty] } });
    const unknown = app.deps.newId();
    for (const scope of [{ groups: [unknown] }, { entries: [unknown] }])
      await expect(calls.start(ada, scope)).rejects.toMatchObject({ code: 'not_found' });
    const group = await makeGroup(ada, 'Large');
    const row = { entry_group_id: group, title: 'one of many', created_by: null, trashed_by: null };
    await app.deps.db.transact(async (tx) => {
      for (let at = 0; at <= EXPORT_MOST.entries; at += 2500) {
        const many = Array.from({ length: 2500 }, () => ({
          ...row,
          entry_id: app.deps.newId(),
          created_at: 0,
          updated_at: 0,
        }));
        await tx.insertInto('entries').values(many).execute();
      }
    });
    await expect(calls.start(ada, { groups: [group] })).rejects.toMatchObject({
      errors: { scope: ['The scope has too many entries (at most 50,000).'] },
    });
  });

  test('files that one import does not take back are refused, with their former versions where those are exported', async () => {
    const group = await makeGroup(ada, 'Files');
    const entry = await putEntry(app.deps, group, 'Contract');
    const file = await putField(app.deps, entry, 'Contract', 'a'.repeat(64));
    await app.deps.db.transact(async (tx) => {
      const first = tx.selectFrom('field_revisions').selectAll().where('field_id', '=', file);
      const row = await first.executeTakeFirstOrThrow();
      const former = Array.from({ length: EXPORT_MOST.files }, (_, at) => ({ ...row, rev: at + 2 }));
      for (const some of portions(former)) await tx.insertInto('field_revisions').values(some).execute();
      await tx
        .updateTable('fields')
        .set({ rev: former.length + 1 })
        .where('field_id', '=', file)
        .execute();
    });
    const start = (more: { files: boolean; history?: boolean }) => calls.start(ada, { entries: [entry] }, more);
    const tooMany =
      'One export has at most 999 files, former versions included. Export fewer groups, or without files.';
    await expect(start({ files: true, history: true })).rejects.toMatchObject({ errors: { files: [tooMany] } });
    for (const more of [{ files: true }, { files: false, history: true }]) {
      expect(await start(more)).toMatchObject({ state: 'open' });
      await calls.clear();
    }
    await app.deps.db.transact((tx) =>
      tx
        .updateTable('field_revisions')
        .set({ body_size: EXPORT_MOST.fileBytes + 1 })
        .where('field_id', '=', file)
        .execute(),
    );
    const tooLarge = 'The files of one export are at most 100 MiB together. Export fewer groups, or without files.';
    await expect(start({ files: true })).rejects.toMatchObject({ errors: { files: [tooLarge] } });
    expect(await start({ files: false })).toMatchObject({ state: 'open' });
  });
});
