/**
 * An archive leaves free space on the disk. `/proc` reports no free space on every machine and serves as the
 * full disk.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { LOOK_EVERY } from '../../platform/storage/space.ts';
import { demandRoomFor, keepRoom } from './write-archive.ts';
import { readSettings, writeSettings } from '../backup-repository.ts';
import { archiveOf } from '../testing/archive.ts';

const FULL = '/proc';
const CHUNK = 64 * 1024;

/** Replaces the link atomically, as the disk may be checked at any time. */
async function fill(disk: string): Promise<void> {
  await symlink(FULL, `${disk}.full`);
  await rename(`${disk}.full`, disk);
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('writing stops with "no space" at the next check after the disk fills up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passwordbroker-room-'));
  const disk = join(folder, 'disk');
  await symlink(folder, disk);
  let written = 0;
  const source = function* () {
    for (let sent = 0; sent < 4 * LOOK_EVERY; sent += CHUNK) yield Buffer.alloc(CHUNK);
  };
  const file = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      written += chunk.length;
      if (written === LOOK_EVERY + CHUNK) {
        await fill(disk);
      }
      done();
    },
  });
  const writing = pipeline(Readable.from(source()), keepRoom(disk), file);
  await expect(writing).rejects.toMatchObject({ name: 'ArchiveError', fault: 'space' });
  expect(written).toBe(2 * LOOK_EVERY);
  await rm(folder, { recursive: true });
});

test('with enough room everything passes through', async () => {
  let passed = 0;
  const source = Readable.from([Buffer.alloc(CHUNK), Buffer.alloc(2 * LOOK_EVERY), Buffer.alloc(CHUNK)]);
  for await (const chunk of source.pipe(keepRoom(app.dataDir)) as AsyncIterable<Buffer>) passed += chunk.length;
  expect(passed).toBe(2 * LOOK_EVERY + 2 * CHUNK);
});

test('an archive fails with "no space" if the disk fills up while it is written', async () => {
  const folder = await mkdtemp(join(app.dataDir, 'room-'));
  const disk = join(folder, 'disk');
  await symlink(folder, disk);
  // Twice the bytes between two checks, on any engine.
  const email = randomBytes(2 * LOOK_EVERY).toString('base64');
  await app.deps.db.transact(async (tx) => writeSettings(tx, { ...(await readSettings(tx)), email }));
  const writing = archiveOf(app, { password: null, target: join(disk, 'pb.tar.gz') });
  const refused = expect(writing).rejects.toMatchObject({ name: 'ArchiveError', fault: 'space' });
  await expect.poll(() => existsSync(join(folder, 'pb.tar.gz')), { interval: 1, timeout: 20_000 }).toBe(true);
  await fill(disk);
  await refused;
});

test('an archive is not started on a full disk, nor if it would not fit', async () => {
  const refused = { name: 'ArchiveError', fault: 'space' };
  await expect(archiveOf(app, { password: null, target: join(FULL, 'pb.tar.gz') })).rejects.toMatchObject(refused);
  await expect(demandRoomFor(app.dataDir, 2 ** 60)).rejects.toMatchObject(refused);
});
