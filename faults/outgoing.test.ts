/**
 * No input makes the server open a connection (T57). Records the system calls while every feature
 * that takes an address is used.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { environmentOf } from '../server/src/identity/sso/testing/sso-app.ts';
import { signedByStranger, startTestProvider } from '../server/src/identity/sso/testing/test-provider.ts';
import { startS3Store, type S3Store } from '../server/src/testing/s3-store.ts';
import { startMailCatcher, type MailCatcher } from '../server/src/testing/mail-catcher.ts';
import { BASE, MASTER_PASSWORD, addGroup, guestOf, signUp } from './testing/caller.ts';
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

suite(
  named(
    'I129: with an identity provider the server connects to that one alone, whatever tokens and answers name (T57)',
  ),
  async () => {
    caught = 0;
    const provider = await startTestProvider({ now: () => Date.now() });
    const site = await startServer({
      env: { ...environmentOf(provider.issuer, { back_channel_logout: true }), LOG_LEVEL: 'warn' },
    });
    try {
      const ada = await signUp(site);
      const guest = guestOf(site);
      await guest.request('GET', '/sanctum/csrf-cookie');
      const watch = await watchConnections(site.pid());
      await guest.accepted('GET', '/identity/api/me');
      expect(watch.targets().filter((target) => target.startsWith('127.0.0.1:'))).toEqual([]);
      const signIn = async (more = '') => {
        const body = { purpose: 'login' };
        const { url } = await guest.accepted<{ url: string }>('POST', '/identity/api/sso/acme/begin', body);
        const query = `${provider.signIn(url)}${more}`;
        return (await guest.request('POST', '/identity/api/sso/callback', { query })).status;
      };
      provider.claims = {
        picture: trapped,
        profile: trapped,
        jku: trapped,
        _claim_sources: { s: { endpoint: trapped } },
      };
      expect(await signIn()).toBe(200);
      await guest.request('GET', '/sanctum/csrf-cookie');
      const foreign = (claims: Record<string, unknown>) =>
        signedByStranger(claims, { kid: 'other', jku: `${trapped}/keys`, x5u: `${trapped}/chain` });
      provider.forge = foreign;
      expect(await signIn()).toBe(401);
      provider.forge = null;
      expect(await signIn(`&iss=${encodeURIComponent(trapped)}`)).toBe(401);
      provider.misbehave = (request, response) => {
        if (request.url !== '/token') return false;
        response.writeHead(307, { location: `${trapped}/token` }).end();
        return true;
      };
      expect(await signIn()).toBeGreaterThanOrEqual(400);
      provider.misbehave = null;
      const logout_token = await foreign({ iss: trapped, aud: 'vault', sid: 's', jti: 'j' });
      const logout = await fetch(`${site.origin}/identity/api/sso/acme/backchannelLogout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token }),
      });
      expect(logout.status).toBe(400);
      await ada.accepted('POST', '/system/api/setting/providers/acme/test');
      await watch.stop();
      const { port } = new URL(provider.issuer);
      const all = watch.targets().filter((target) => !target.startsWith('/') && !target.endsWith(':53'));
      expect([all.length > 0, all.filter((target) => !target.endsWith(`:${port}`)), caught]).toEqual([true, [], 0]);
    } finally {
      await site.stop();
      await provider.stop();
    }
  },
);
