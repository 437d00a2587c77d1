/**
 * No input makes the server open a connection (T57). Records the system calls while every feature
 * that takes an address is used.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { startS3Store, type S3Store } from '../server/src/testing/s3-store.ts';
import { startMailCatcher, type MailCatcher } from '../server/src/testing/mail-catcher.ts';
import { BASE, MASTER_PASSWORD, addGroup, signUp } from './testing/caller.ts';
import { hasStrace, named, watchConnections } from './testing/connections.ts';

const suite = hasStrace ? test : test.skip;

let server: RunningServer;
let mail: MailCatcher;
let store: S3Store;
let caught = 0;
const trap = createServer((_request, response) => response.end()).on('connection', () => (caught += 1));
let trapped: string;

beforeAll(async () => {
  mail = await startMailCatcher();
  store = await startS3Store();
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapped = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  server = await startServer({ env: { LOG_LEVEL: 'warn', SMTP_URL: mail.url, ...store.environment } });
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
  await store.stop();
  trap.close();
});

const xml = (doctype: string, url: string) =>
  `<?xml version="1.0"?>${doctype}<KeePassFile><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>g</Name><Entry><UUID>AAAAAAAAAAAAAAAAAAAAAg==</UUID><String><Key>Title</Key><Value>e</Value></String><String><Key>URL</Key><Value>${url}</Value></String></Entry></Group></Root></KeePassFile>`;

suite(
  named(
    'addresses in links, imports, invitations, headers and redirects of a store: the server connects only to its mail server and its store (T57)',
  ),
  async () => {
    const watch = await watchConnections(server.pid());
    const ada = await signUp(server);
    const groupId = await addGroup(ada, `Look at ${trapped}/group`);
    const entries = `${BASE}/entryGroups/${groupId}/entries`;
    const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: `${trapped}/entry` });
    const fields = `${entries}/${entry_id}/fields`;
    const master_password = MASTER_PASSWORD;
    for (const [type, value] of [
      ['link', `${trapped}/link`],
      ['note', `![x](${trapped}/note)`],
      ['password', `${trapped}/password`],
    ] as const) {
      await ada.accepted('POST', fields, { type, title: trapped, login: trapped, value, master_password });
    }
    for (const doctype of ['', `<!DOCTYPE k SYSTEM "${trapped}/x.dtd">`]) {
      const form = new FormData();
      form.append('master_password', master_password);
      form.append('file', new Blob([xml(doctype, `${trapped}/import`)]), 'vault.xml');
      const { status } = await ada.send('POST', `${BASE}/import`, form);
      expect(status).toBe(doctype === '' ? 201 : 422);
    }
    const user = { email: `bob@${new URL(trapped).host.replace(':', '.')}.example`, username: trapped };
    await ada.accepted('POST', '/identity/api/invite', { user });
    for (const name of ['origin', 'referer', 'x-forwarded-host', 'x-forwarded-for', 'forwarded', 'via']) {
      await fetch(`${server.origin}/identity/api/me`, { headers: { ...ada.headers(), [name]: trapped } });
    }
    for (const url of [trapped, '//evil.example', 'http://evil.example/']) {
      await fetch(`${server.origin}/${encodeURIComponent(url)}?next=${encodeURIComponent(url)}`);
    }
    store.setFault({ kind: 'answer', status: 307, code: 'TemporaryRedirect', location: `${trapped}/backups/x` });
    const { backup_id } = await ada.accepted<{ backup_id: string }>('POST', '/system/api/backups');
    const backup = `/system/api/backups/${backup_id}`;
    const copyState = async () =>
      (await ada.accepted<{ copy: { state: string } | null }>('GET', backup)).copy?.state ?? 'none';
    await expect.poll(copyState, { timeout: 60_000 }).toBe('failed');
    store.setFault(null);
    await ada.accepted('POST', `${backup}/copy`);
    await expect.poll(copyState, { timeout: 60_000 }).toBe('copied');
    await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await watch.stop();
    const ports = [mail.url, store.origin].map((url) => new URL(url).port);
    const elsewhere = watch
      .targets()
      // The system resolver looks up both names.
      .filter((target) => !ports.some((port) => target.endsWith(`:${port}`)))
      .filter((target) => !target.startsWith('/') && !target.endsWith(':53'));
    for (const port of ports) expect(watch.targets().some((target) => target.endsWith(`:${port}`))).toBe(true);
    expect([elsewhere, caught]).toEqual([[], 0]);
  },
);
