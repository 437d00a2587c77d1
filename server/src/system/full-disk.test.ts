/**
 * A disk filled by uploads of a member, and then completely by other programs: reading, sign-in, purge and
 * revocation still work (T142).
 */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as people from '@passwordbroker/core/contract/users/people';
import * as members from '@passwordbroker/core/contract/groups/members';
import { emptyTrash, purge, trashPurgePreview } from '@passwordbroker/core/contract/entries/operations';
import * as site from '@passwordbroker/core/contract/site/site';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { joinGroup } from '../testing/join-group.ts';
import { createEntryIn, createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { canMount, mountSmallDisk } from '../testing/small-disk.ts';
import type { SmallDisk } from '../testing/small-disk.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestRequest } from '../testing/test-client.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { startSpaceWatch } from './housekeeping.ts';

const MIB = 1024 * 1024;
const DISK_MIB = 96;
const MARGIN = 0.05 * DISK_MIB * MIB;
const FILE_BYTES = 4 * MIB;

// The data of PostgreSQL is on another disk.
const isAble = !isOnPostgres && canMount();

describe.runIf(isAble)('on a small disk', () => {
  let disk: SmallDisk;
  let app: TestApp;
  let ada: SignedIn;
  let bob: SignedIn;
  let place: SealedPlace;
  let watch: ReturnType<typeof startSpaceWatch>;
  let sealed: Awaited<ReturnType<typeof sealedFileField>> | undefined;
  beforeEach(async () => {
    disk = mountSmallDisk(DISK_MIB);
    app = await startTestApp({ folder: disk.folder });
    ada = await app.signUp('ada');
    bob = await app.signUp('bob');
    place = await createSealedPlace(ada);
    await joinGroup(app, place.g, bob, 'moderator');
    watch = startSpaceWatch(app.deps);
    await expect.poll(() => app.deps.space.reserve()).toBeGreaterThan(0.04 * DISK_MIB * MIB);
  });
  afterEach(async () => {
    try {
      await watch.stop();
      await app.stop();
    } finally {
      disk.remove();
    }
  });

  async function upload(who: SignedIn, e = place.e) {
    sealed ??= await sealedFileField(place, new Uint8Array(FILE_BYTES));
    const { members: texts, body } = sealed;
    // A new ciphertext each time; the server checks only its length.
    body.set(randomBytes(16), body.length - 16);
    const multipart = new FormData();
    for (const [name, value] of Object.entries({ ...texts, field_id: v7() })) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    const path = fillPath(fields.create.path, { ...place, e });
    return who.request({ path, multipart });
  }

  /** Sends the head of an upload by Bob without its body. */
  function announce(origin: URL, bytes: number): ClientRequest {
    const request = httpRequest({
      host: origin.hostname,
      port: origin.port,
      method: 'POST',
      path: fillPath(fields.create.path, place),
      headers: {
        cookie: [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': bob.cookies.get('XSRF-TOKEN') ?? '',
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': bytes,
      },
    });
    request.flushHeaders();
    return request;
  }

  const ready = () => app.guest().request({ path: '/ready' });
  const log = () => app.log.filter((line) => line.includes('"needed_mib"'));

  test('T142: on a full disk the admin signs in, purges and revokes, and there is room at once', async () => {
    const { field_id: noteId } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
    const session = await app.signIn(ada);
    const token = await bob.call(credentials.createToken, { body: { token_name: 'script' } });
    const { invite } = await ada.call(invites.create, { body: { user: { email: 'eve@example.org' } } });
    const { token_id: foreign } = await bob.call(credentials.createToken, { body: { token_name: 'foreign' } });
    const [many, small] = [
      await createEntryIn(bob, place.g, 'Many files'),
      await createEntryIn(bob, place.g, 'No files'),
    ];
    let stored = 0;
    for (let answer = await upload(bob, many); answer.status === 201; answer = await upload(bob, many)) stored += 1;
    expect(stored).toBeGreaterThan(10);
    const refused = await upload(bob, many);
    expect([refused.status, refused.json()]).toMatchObject([
      507,
      { code: 'insufficient_storage', message: expect.stringContaining('has no room for this') },
    ]);
    // Uploads leave the margin free, so small writes still work.
    expect(disk.free()).toBeGreaterThan(MARGIN);
    expect((await bob.request({ path: fillPath(entries.create.path, place), json: { title: 'One' } })).status).toBe(
      201,
    );
    expect((await ready()).status).toBe(200);

    disk.fill(0);
    await expect.poll(async () => (await ready()).status).toBe(503);
    expect((await ready()).json()).toMatchObject({ checks: { storage: 'failed' }, message: SAYS_WHAT_TO_DO });
    expect(log().at(-1)).toContain('Empty the trash');
    const reading = await bob.request({ path: fillPath(entries.listAll.path, place) });
    expect(reading.status).toBe(200);
    const reveal = await bob.request({ path: fillPath(fields.envelope.path, { ...place, f: noteId }) });
    expect(reveal.status).toBe(200);
    for (const writing of [
      { path: fillPath(entries.create.path, place), json: { title: 'Two' } },
      { path: fillPath(fields.create.path, place), json: await sealedField(place) },
      { path: fillPath(entries.rename.path, place), method: 'PUT', json: { title: 'Three' } },
      { path: '/identity/api/token', json: { token_name: 'another' } },
    ]) {
      const answer = await bob.request(writing);
      expect([answer.status, answer.json()]).toMatchObject([507, { message: expect.stringMatching(/nearly full/) }]);
    }

    const admin = await app.signIn(ada);
    await admin.call(invites.revoke, { params: { inviteId: invite.invite_id } });
    await admin.call(members.remove, { params: { ...place, u: bob.userId } });
    await session.request({ path: '/identity/api/logout', method: 'POST' });
    await bob.call(credentials.revokeToken, { params: { tokenId: token.token_id } });
    await admin.call(credentials.revokeSiteToken, { params: { tokenId: foreign } });
    await admin.call(site.changeSettings, { body: { trash_days: 7 } });
    await admin.call(entries.remove, { params: { ...place, e: small } });
    const { items } = await admin.call(trashPurgePreview);
    expect(await admin.call(emptyTrash, { query: { items } })).toEqual({ purged: 1 });
    const { operation_id: operationId } = await admin.call(entries.remove, { params: { ...place, e: many } });
    const before = disk.free();
    // Emptying the trash with a wrong number of items is refused.
    for (const path of ['/passwordBroker/api/trash', `/passwordBroker/api/entryGroups/${place.g}/trash`]) {
      expect((await admin.request({ path: `${path}?items=999`, method: 'DELETE' })).status, path).toBe(409);
    }
    await admin.call(purge, { params: { operationId } });
    expect(disk.free() - before).toBeGreaterThan(0.95 * stored * FILE_BYTES);
    const { data } = await admin.call(audit.list, { query: { perPage: 100 } });
    const seen = data.map(({ event_type }) => event_type);
    expect(seen).toEqual(expect.arrayContaining(['login', 'invite_revoked', 'settings_changed', 'purged']));

    expect((await ready()).status).toBe(200);
    expect(log().at(-1)).toContain('has room again');
    expect((await upload(ada)).status).toBe(201);
    disk.empty();
    await expect.poll(() => app.deps.space.reserve()).toBeGreaterThan(0.04 * DISK_MIB * MIB);
  });

  test('T142: an upload without room is refused before its body is read', async () => {
    const origin = new URL(await app.listen());
    disk.fill(MARGIN + 20 * MIB);
    const before = disk.free();
    const request = announce(origin, 25 * MIB);
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text });
          request.destroy();
        });
      });
    });
    expect(answer.status, answer.text).toBe(507);
    expect(disk.free()).toBeGreaterThan(before - 2 * MIB);
  });

  test('T142: announced uploads without a body take no room from others', async () => {
    const origin = new URL(await app.listen());
    disk.fill(MARGIN + 27 * MIB);
    const open = Array.from({ length: 20 }, () => announce(origin, 25 * MIB).on('error', () => {}));
    // Waits until the server has read the heads.
    await wait(500);
    expect((await upload(ada)).status).toBe(201);
    for (const request of open) request.destroy();
  });

  test('T142: a member who keeps deleting, reading and signing in leaves part of the reserve to the admins', async () => {
    const { field_id: f } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
    disk.fill(0);
    await expect.poll(async () => (await ready()).status).toBe(503);
    const until507 = async (requestOf: (count: number) => TestRequest) => {
      for (let count = 0; count < 3000; count += 1) {
        const answer = await bob.request(requestOf(count));
        if (answer.status === 507) return answer.json()['message'];
        expect(answer.status).toBe(200);
      }
      return null;
    };
    const isFull = 'The disk of the server is full. Ask a site admin to make room.';
    const path = fillPath(people.update.path, { id: bob.userId });
    expect(await until507(() => ({ path: fillPath(fields.envelope.path, { ...place, f }) }))).toBe(isFull);
    const username = (count: number) => ({ username: `bob${count % 2}` });
    expect(await until507((count) => ({ path, method: 'PUT', json: username(count) }))).toBe(isFull);
    const json = { email: bob.email, password: bob.password };
    expect(await until507(() => ({ path: '/identity/api/login', json }))).toBe(isFull);
    expect((await bob.request({ path: fillPath(entries.listAll.path, place) })).status).toBe(200);
    const admin = await app.signIn(ada);
    await admin.call(site.changeSettings, { body: { trash_days: 7 } });
  });

  test('T142: concurrent uploads never use the same free space', async () => {
    disk.fill(MARGIN + 2.5 * FILE_BYTES);
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(bob)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(2);
    expect(statuses.filter((status) => status === 507)).toHaveLength(6);
    expect(disk.free()).toBeGreaterThan(MARGIN);
  });
});

const SAYS_WHAT_TO_DO = expect.stringContaining('Empty the trash, delete old backups or enlarge the disk') as string;

test.runIf(!isAble)('T142 (skipped: on PostgreSQL, or no file system can be mounted here)', () => {});
