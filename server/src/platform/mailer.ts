import type { Config } from '../app/config.ts';
import { isLoopbackHost } from './networks.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachment?: { readonly filename: string; readonly content: Buffer };
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const SECOND = 1000;
const TIMEOUTS = {
  dnsTimeout: 5 * SECOND,
  connectionTimeout: 5 * SECOND,
  greetingTimeout: 5 * SECOND,
  socketTimeout: 10 * SECOND,
};

/** Other hosts need TLS with a trusted certificate, unless `insecure=1`. */
function smtpServer(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const isInsecure = url.searchParams.has('insecure');
  url.searchParams.delete('insecure');
  if (isInsecure) return { url: url.href, tls: { rejectUnauthorized: false } };
  return { url: url.href, ...(isLoopbackHost(url.hostname) ? {} : { requireTLS: true }) };
}

/** The remote host that gets mail without verified TLS, or null. */
export function insecureMailHost(smtpUrl: string | null): string | null {
  if (smtpUrl === null) return null;
  const { hostname, searchParams } = new URL(smtpUrl);
  return searchParams.has('insecure') && !isLoopbackHost(hostname) ? hostname : null;
}

export async function openMailer({
  smtpUrl,
  mailFrom,
  publicUrl,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>): Promise<Mailer | null> {
  if (smtpUrl === null) return null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    { ...smtpServer(smtpUrl), ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true },
    {
      from: mailFrom ?? `passwordbroker@${new URL(publicUrl).hostname}`,
      headers: { 'auto-submitted': 'auto-generated' },
    },
  );
  return {
    async send({ to, subject, text, attachment }) {
      // Last check against header injection (docs/spec/threats.md §3.1.26).
      if (/\p{Cc}/u.test(to + subject)) throw new TypeError('A line break in the head of a mail');
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        ...(attachment === undefined
          ? {}
          : { attachments: [{ ...attachment, contentType: 'application/octet-stream' }] }),
      });
    },
    close: () => transport.close(),
  };
}
