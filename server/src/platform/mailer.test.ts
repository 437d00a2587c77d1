/**
 * Mail to other hosts is encrypted unless `insecure=1` is set (T156). `0.0.0.0` reaches this
 * machine but counts as another host.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasOpenssl, makeAuthority } from '../testing/certificate.ts';
import type { Authority } from '../testing/certificate.ts';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import type { MailCatcher } from '../testing/mail-catcher.ts';
import { openMailer } from './mailer.ts';

let plain: MailCatcher;
beforeAll(async () => {
  plain = await startMailCatcher();
});
afterAll(() => plain.stop());

const MAIL = { to: 'bob@example.org', subject: 'Hello', text: 'A link that is a secret' };
const elsewhere = (url: string, query = '') => url.replace('127.0.0.1', '0.0.0.0') + query;

async function send(smtpUrl: string): Promise<void> {
  const mailer = await openMailer({ smtpUrl, mailFrom: null, publicUrl: 'https://vault.example.org' });
  await mailer?.send(MAIL);
  mailer?.close();
}

test('a remote server without STARTTLS gets mail only with insecure=1 (T156)', async () => {
  await expect(send(elsewhere(plain.url))).rejects.toThrow(/STARTTLS/);
  expect(plain.mails).toEqual([]);
  await send(elsewhere(plain.url, '/?insecure=1'));
  expect(plain.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([false]);
});

test('a server on this machine may get unencrypted mail', async () => {
  const before = plain.mails.length;
  await send(plain.url);
  expect(plain.mails.length).toBe(before + 1);
});

describe.skipIf(!hasOpenssl)('a remote server with STARTTLS (T156)', () => {
  let authority: Authority;
  let catcher: MailCatcher;
  beforeAll(async () => {
    authority = makeAuthority();
    catcher = await startMailCatcher(authority.issue('IP:0.0.0.0'));
  });
  afterAll(async () => {
    await catcher.stop();
    authority.remove();
  });

  test('gets no mail with an untrusted certificate, and encrypted mail with insecure=1', async () => {
    await expect(send(elsewhere(catcher.url))).rejects.toThrow(/certificate/);
    expect(catcher.mails).toEqual([]);
    await send(elsewhere(catcher.url, '?insecure=1'));
    expect(catcher.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
  });

  test('gets encrypted mail with a certificate of a trusted authority', async () => {
    const before = catcher.mails.length;
    const smtpUrl = elsewhere(catcher.url);
    const script = `
      const { openMailer } = await import(${JSON.stringify(new URL('./mailer.ts', import.meta.url).href)});
      const mailer = await openMailer(${JSON.stringify({ smtpUrl, mailFrom: null, publicUrl: 'https://vault.example.org' })});
      await mailer.send(${JSON.stringify(MAIL)});
      mailer.close();`;
    await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: authority.caFile },
    });
    expect(catcher.mails.slice(before).map(({ isEncrypted, to }) => [isEncrypted, to])).toEqual([[true, [MAIL.to]]]);
  });
});
