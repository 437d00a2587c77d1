/** An SMTP server on this machine that stores the mails it receives. */
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificate.ts';

interface CaughtMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as received, with its head. */
  readonly raw: string;
  /** Lines of the head, with continuation lines joined. */
  readonly head: readonly string[];
  readonly subject: string;
  /** The body, decoded. */
  readonly text: string;
  /** Whether the mail came over TLS. */
  readonly isEncrypted: boolean;
}

export interface MailCatcher {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly mails: readonly CaughtMail[];
  /** Refuses that many mails and then accepts them again. */
  refuseNext(count: number): void;
  stop(): Promise<void>;
}

/** @param tls offers STARTTLS with this certificate */
export async function startMailCatcher(tls?: Pick<Certificate, 'cert' | 'key'>): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls === undefined ? ['STARTTLS', 'AUTH'] : ['AUTH'],
    ...tls,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1;
          callback(Object.assign(new Error('Try again later'), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          ...read(Buffer.concat(chunks).toString('utf8')),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail catcher does not listen');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    refuseNext(count) {
      refusals = count;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function read(raw: string): Pick<CaughtMail, 'raw' | 'head' | 'subject' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const value = (name: string) =>
    head.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 2);
  const body = raw.slice(end + 4);
  const encoding = value('content-transfer-encoding') ?? '7bit';
  const text = encoding === 'quoted-printable' ? printable(body) : encoding === 'base64' ? base64(body) : body;
  return { raw, head, subject: value('subject') ?? '', text: text.replaceAll('\r\n', '\n') };
}

const base64 = (body: string) => Buffer.from(body, 'base64').toString('utf8');
function printable(body: string): string {
  const latin = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1').toString('utf8');
}
