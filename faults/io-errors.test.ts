/** I/O errors of the disk of a running server (T152, R62). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { hasStrace, named } from './testing/connections.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';
import { tamper } from './testing/tamper.ts';

const suite = hasStrace ? test : test.skip;
const SYNCS = 'fsync,fdatasync';

let server: RunningServer;
afterEach(async () => {
  await server.stop();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the process exits within ten seconds. */
async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await wait(100);
  }
  return false;
}

suite.each([
  ['fsync of the log', SYNCS, 'error=EIO:when=1'],
  ['a write to the log', 'pwrite64', 'error=EIO:when=1'],
])(
  named(
    'T152: one EIO at %s: the process reports it and ends, every acknowledged write is there after the restart (R62)',
  ),
  async (_what, calls, inject) => {
    server = await startServer({ env: { LOG_LEVEL: 'warn' } });
    const ada = await signUp(server);
    const groupId = await addGroup(ada, 'Ledger');
    const ledger = newLedger();
    const stop = new AbortController();
    const writing = ledger.write(ada, groupId, 8, stop.signal);
    await wait(1000);
    const pid = server.pid();
    const detach = await tamper(pid, calls, inject, join(server.dataDir, 'passwordbroker.sqlite-wal'));
    expect(await isGone(pid)).toBe(true);
    await detach();
    const acknowledged = ledger.acknowledged;
    expect(server.output()).toContain(`Storage failed: I/O error SQLITE_IOERR_`);
    expect(server.output()).toContain(`at ${server.dataDir}. The process ends; check the disk and start it again.`);
    await wait(500);
    expect(ledger.acknowledged).toBe(acknowledged);
    await server.restart();
    stop.abort();
    await writing;
    expect(acknowledged).toBeGreaterThan(20);
    expect(ledger.surprises).toEqual([]);
    expect(await ledger.compare(ada, groupId)).toEqual([]);
    await server.end();
    const { code, output } = await examine(server.dataDir);
    expect(code, output).toBe(0);
  },
);

suite(
  named('T152: one EIO at the fsync of the database file in a checkpoint: the process ends, nothing is lost (R62)'),
  async () => {
    server = await startServer({ env: { LOG_LEVEL: 'warn' } });
    const ada = await signUp(server);
    const groupId = await addGroup(ada, 'Ledger');
    const entries = `${BASE}/entryGroups/${groupId}/entries`;
    const { entry_id: entryId } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'Notes' });
    const pid = server.pid();
    const detach = await tamper(pid, SYNCS, 'error=EIO:when=1', join(server.dataDir, 'passwordbroker.sqlite'));
    // A checkpoint starts at 8 MB of write-ahead log. The response to the last note is lost with
    // the process.
    let [asked, acknowledged] = [0, 0];
    const value = 'x'.repeat(500_000);
    for (; asked < 60; asked += 1) {
      const note = { type: 'note', title: `${asked}`, value, master_password: MASTER_PASSWORD };
      const { status } = await ada.request('POST', `${entries}/${entryId}/fields`, note);
      if (status === 0) break;
      expect(status).toBe(201);
      acknowledged += 1;
    }
    expect(await isGone(pid)).toBe(true);
    await detach();
    expect(acknowledged).toBeGreaterThan(5);
    expect(server.output()).toContain('Storage failed: I/O error SQLITE_IOERR_FSYNC');
    await server.restart();
    const titles = (await ada.accepted<{ title: string }[]>('GET', `${entries}/${entryId}/fields`)).map(
      ({ title }) => title,
    );
    for (let at = 0; at < acknowledged; at += 1) expect(titles).toContain(`${at}`);
    await server.end();
    const { code, output } = await examine(server.dataDir);
    expect(code, output).toBe(0);
  },
);

const upload = async (ada: Caller, path: string, name: string) => {
  const form = new FormData();
  form.append('type', 'file');
  form.append('file', new Blob([new TextEncoder().encode(name.repeat(200_000))]), name);
  form.append('master_password', MASTER_PASSWORD);
  return ada.send('POST', path, form);
};

suite(
  named(
    'R62: EIO at fsync or rename of a file body refuses the upload and leaves no partial file, the next upload works; EIO at read returns no wrong bytes',
  ),
  async () => {
    server = await startServer({ env: { LOG_LEVEL: 'fatal' } });
    const ada = await signUp(server);
    const groupId = await addGroup(ada, 'Files');
    const entries = `${BASE}/entryGroups/${groupId}/entries`;
    const { entry_id: entryId } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'Files' });
    const fields = `${entries}/${entryId}/fields`;
    expect((await upload(ada, fields, 'first.bin')).status).toBe(201);
    const bodies = join(server.dataDir, 'bodies');
    const stored = () => readdirSync(bodies).sort();
    const before = stored();

    for (const [calls, inject] of [
      ['rename', 'error=EIO:when=1+'],
      ['fsync', 'error=EIO:when=1'],
    ] as const) {
      const detach = await tamper(server.pid(), calls, inject);
      const answer = await upload(ada, fields, `${calls}.bin`);
      await detach();
      expect([0, 500, 503], answer.text).toContain(answer.status);
      if (answer.status === 0) await server.restart();
      expect(await ada.accepted<unknown[]>('GET', fields)).toHaveLength(1);
      expect(stored()).toEqual(before);
    }
    expect((await upload(ada, fields, 'again.bin')).status).toBe(201);

    const [first] = await ada.accepted<{ field_id: string }[]>('GET', fields);
    const reveal = () =>
      ada.request('POST', `${fields}/${first?.field_id ?? ''}/decrypted`, { master_password: MASTER_PASSWORD });
    const shown = (await reveal()).text;
    const detach = await tamper(server.pid(), 'read,pread64', 'error=EIO:when=1+', join(bodies, before[0] ?? ''));
    const answer = await reveal();
    await detach();
    expect([0, 500, 503], answer.text.slice(0, 200)).toContain(answer.status);
    expect((await reveal()).text).toBe(shown);
  },
);
