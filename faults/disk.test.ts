/**
 * A full or read-only disk: writes are refused, reads continue, and nothing acknowledged is lost
 * (R6, R8).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Answered, type Caller, addGroup, signUp } from './testing/caller.ts';
import { type Disk, MB, canInsert, fillUp, insertDisk } from './testing/disk.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';

const hasDisk = canInsert();
const suite = hasDisk ? test : test.skip;
const named = (name: string) => (hasDisk ? name : `${name} (skipped: no file system can be mounted here)`);

let disk: Disk;
let server: RunningServer;
let ada: Caller;
let groupId: string;

beforeEach(async () => {
  if (!hasDisk) return;
  disk = insertDisk();
  server = await startServer({ dataDir: join(disk.folder, 'data'), env: { LOG_LEVEL: 'fatal' } });
  ada = await signUp(server);
  groupId = await addGroup(ada, 'Ledger');
});
afterEach(async () => {
  if (!hasDisk) return;
  await server.kill();
  disk.remove();
});

const entries = () => `${BASE}/entryGroups/${groupId}/entries`;
const add = (title: string) => ada.request('POST', entries(), { title });
const isAccepted = ({ status }: Answered) => status >= 200 && status < 300;

suite(
  named(
    'disk full: writes are refused, none is acknowledged, reads continue; with free space everything works again (R6)',
  ),
  async () => {
    const ledger = newLedger();
    const stop = new AbortController();
    const writing = ledger.write(ada, groupId, 4, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const ballast = join(disk.folder, 'ballast');
    fillUp(ballast);
    let refused = 0;
    for (let attempt = 0; attempt < 2000 && refused < 20; attempt += 1) {
      const answer = await add(`Full ${'x'.repeat(200)} ${attempt}`);
      if (isAccepted(answer)) continue;
      expect([500, 503, 507], answer.text).toContain(answer.status);
      refused += 1;
    }
    stop.abort();
    await writing;
    expect(refused).toBe(20);
    const [first] = await ada.accepted<{ entry_id: string }[]>('GET', entries());
    const form = new FormData();
    form.append('type', 'file');
    form.append('file', new Blob([new Uint8Array(2 * MB)]), 'large.bin');
    form.append('master_password', MASTER_PASSWORD);
    const upload = await ada.send('POST', `${entries()}/${first?.entry_id ?? ''}/fields`, form);
    expect([500, 503, 507]).toContain(upload.status);

    rmSync(ballast);
    expect((await add('Room again')).status).toBe(201);
    const wrong = await ledger.compare(ada, groupId);
    // The titles above are not in the ledger.
    expect(wrong.filter((line) => !line.endsWith('never asked for'))).toEqual([]);
    await server.end();
    const { code, output } = await examine(server.dataDir);
    expect(code, output).toBe(0);
  },
);

suite(
  named(
    'read-only file system: reads continue, writes are refused, and after its repair all acknowledged data is there (R8)',
  ),
  async () => {
    expect((await add('Before')).status).toBe(201);
    disk.fail();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await add(`Refused ${attempt}`);
      expect([500, 503, 507], answer.text).toContain(answer.status);
    }
    const titles = async () => (await ada.accepted<{ title: string }[]>('GET', entries())).map(({ title }) => title);
    expect(await titles()).toEqual(['Before']);
    await server.kill();
    disk.repair();
    await server.restart();
    expect(await titles()).toEqual(['Before']);
    expect((await add('After')).status).toBe(201);
    await server.end();
    const { code, output } = await examine(server.dataDir);
    expect(code, output).toBe(0);
  },
);
