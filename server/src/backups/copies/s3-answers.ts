import type { IncomingMessage } from 'node:http';
import { CopyFailed, FULL } from './copy-failed.ts';

const MOST_BYTES = 64 * 1024;

/** The `Code` of an XML error, or ''. Consumes or destroys the response. */
export async function codeOfAnswer(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    // The status alone is enough.
  }
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '';
}

const KEYS = 'The store refuses the access key or its secret.';
const REGION = 'The store expects another region: check BACKUP_S3_REGION.';
const ELSEWHERE = 'The store redirects to another address: check BACKUP_S3_ENDPOINT and BACKUP_S3_REGION.';
const NOT_ALLOWED =
  'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.';
const BUSY = 'The store is busy or broken';

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: KEYS,
  SignatureDoesNotMatch: KEYS,
  InvalidToken: KEYS,
  ExpiredToken: KEYS,
  RequestTimeTooSkewed: 'The clock of this server and the clock of the store differ too much: set the clock.',
  RequestExpired: 'The clock of this server and the clock of the store differ too much: set the clock.',
  NoSuchBucket: 'The bucket does not exist.',
  AuthorizationHeaderMalformed: REGION,
  IllegalLocationConstraintException: REGION,
  PermanentRedirect: ELSEWHERE,
  TemporaryRedirect: ELSEWHERE,
  AccessDenied: NOT_ALLOWED,
  AllAccessDisabled: NOT_ALLOWED,
  EntityTooLarge: 'The archive is too large for the store.',
  QuotaExceeded: FULL,
  InsufficientStorage: FULL,
  XMinioStorageFull: FULL,
  XAmzContentSHA256Mismatch: 'The archive arrived changed at the store.',
  BadDigest: 'The archive arrived changed at the store.',
};

export function answerFailure(status: number, code: string): CopyFailed {
  const known = SENTENCES[code] ?? sentenceOfStatus(status);
  const told = code === '' ? String(status) : `${status} ${code}`;
  return new CopyFailed(known ?? `The store refuses it (${told}).`, code === '' ? String(status) : code);
}

function sentenceOfStatus(status: number): string | undefined {
  if (status >= 300 && status < 400) return ELSEWHERE;
  if (status === 401 || status === 403) return NOT_ALLOWED;
  if (status === 413) return SENTENCES['EntityTooLarge'];
  if (status === 507) return FULL;
  if (status === 429 || status >= 500) return `${BUSY} (${status}).`;
  return undefined;
}
