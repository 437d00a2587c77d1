/** The signed SHA-256 makes the store refuse a damaged body. */
import { createReadStream } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Transform, pipeline } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { runningDigest } from '../../platform/ids-and-digests.ts';
import type { FileDigest } from '../archive-files.ts';
import { connectionFailure, type Store, CopyFailed, FULL } from './second-target.ts';
import type { S3Target } from './copy-target.ts';

const NOTHING: FileDigest = { size: 0, sha256: runningDigest().digest('hex') };

export function s3Store(target: S3Target, alive: () => void): Store {
  return {
    async digest(name, most) {
      const answer = await send(target, { method: 'GET', name, alive });
      if (answer.statusCode === 200) return digestOf(answer, most, alive);
      const code = await codeOfAnswer(answer);
      // A missing bucket also answers 404.
      if (answer.statusCode === 404 && (code === 'NoSuchKey' || code === '')) return null;
      throw answerFailure(answer.statusCode ?? 0, code);
    },
    isSource: () => Promise.resolve(false),
    async put(name, source, digest) {
      await expectSuccess(await send(target, { method: 'PUT', name, alive, source, digest }));
    },
    async remove(name) {
      await expectSuccess(await send(target, { method: 'DELETE', name, alive }));
    },
  };
}

interface Sending {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly name: string;
  readonly alive: () => void;
  readonly source?: string;
  readonly digest?: FileDigest;
}

/** Returns any status. @throws CopyFailed without a response */
async function send(
  target: S3Target,
  { method, name, alive, source, digest = NOTHING }: Sending,
): Promise<IncomingMessage> {
  const { endpoint, bucket, prefix, region, accessKey, secretKey } = target;
  const signer = new AwsV4Signer({
    method,
    url: `${endpoint}/${bucket}/${prefix}${name}`,
    headers: { 'x-amz-content-sha256': digest.sha256 },
    service: 's3',
    region,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
  });
  const { url, headers } = await signer.sign();
  const head: Record<string, string> = Object.fromEntries(headers);
  if (source !== undefined) {
    head['content-length'] = String(digest.size);
    head['content-type'] = 'application/octet-stream';
  }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: head, agent: false });
    sent.once('response', (answer) => {
      alive();
      resolve(answer);
    });
    // A store may close the connection early, after its response.
    sent.once('error', (error) => reject(connectionFailure(error)));
    if (source === undefined) sent.end();
    else pipeline(createReadStream(source), counted(alive), sent, () => {});
  });
}

const counted = (alive: () => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      alive();
      done(null, chunk);
    },
  });

/** A longer object differs. */
async function digestOf(answer: IncomingMessage, most: number, alive: () => void): Promise<FileDigest> {
  const digest = runningDigest();
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      digest.update(chunk);
      size += chunk.length;
      if (size > most) break;
      alive();
    }
  } catch (error) {
    throw connectionFailure(error);
  }
  return { size, sha256: digest.digest('hex') };
}

async function expectSuccess(answer: IncomingMessage): Promise<void> {
  const { statusCode = 0 } = answer;
  const code = await codeOfAnswer(answer);
  if (statusCode < 200 || statusCode >= 300) throw answerFailure(statusCode, code);
}

const MOST_BYTES = 64 * 1024;

/** The `Code` of an XML error, or ''. Consumes the response. */
async function codeOfAnswer(answer: IncomingMessage): Promise<string> {
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

function answerFailure(status: number, code: string): CopyFailed {
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
