/** An archive leaves room on the disk. The file system of the kernel's own files says of itself that it has none: a full disk on every machine. */
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

/** At once: somebody may look at any time. */
async function fill(disk: string): Promise<void> {
  await symlink(FULL, `${disk}.full`);
  await rename(`${disk}.full`, disk);
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('a disk that gets full on the way: a piece more at most, then no space', async () => {
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

test('where there is room all of it passes', async () => {
  let passed = 0;
  const source = Readable.from([Buffer.alloc(CHUNK), Buffer.alloc(2 * LOOK_EVERY), Buffer.alloc(CHUNK)]);
  for await (const chunk of source.pipe(keepRoom(app.dataDir)) as AsyncIterable<Buffer>) passed += chunk.length;
  expect(passed).toBe(2 * LOOK_EVERY + 2 * CHUNK);
});

test('an archive on a disk that gets full while it is written', async () => {
  const folder = await mkdtemp(join(app.dataDir, 'room-'));
  const disk = join(folder, 'disk');
  await symlink(folder, disk);
  // Twice as much as passes between two looks, in any engine.
  const email = randomBytes(2 * LOOK_EVERY).toString('base64');
  await app.deps.db.transact(async (tx) => writeSettings(tx, { ...(await readSettings(tx)), email }));
  const writing = archiveOf(app, { password: null, target: join(disk, 'pb.tar.gz') });
  const refused = expect(writing).rejects.toMatchObject({ name: 'ArchiveError', fault: 'space' });
  await expect.poll(() => existsSync(join(folder, 'pb.tar.gz')), { interval: 1, timeout: 20_000 }).toBe(true);
  await fill(disk);
  await refused;
});

test('an archive is not begun on a disk without room, nor one that will not go onto it', async () => {
  const refused = { name: 'ArchiveError', fault: 'space' };
  await expect(archiveOf(app, { password: null, target: join(FULL, 'pb.tar.gz') })).rejects.toMatchObject(refused);
  await expect(demandRoomFor(app.dataDir, 2 ** 60)).rejects.toMatchObject(refused);
});
