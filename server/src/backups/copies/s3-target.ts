/**
 * An S3-compatible store: signed path-style requests without redirects. The signed SHA-256 makes the store
 * refuse a damaged body.
 */
import { createReadStream } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Transform, pipeline } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { runningDigest } from '../../platform/secrets.ts';
import type { FileDigest } from '../restore/file-digest.ts';
import { connectionFailure } from './copy-failed.ts';
import type { S3Target } from './copy-target.ts';
import { answerFailure, codeOfAnswer } from './s3-answers.ts';
import type { Store } from './store.ts';

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
    // A store may close the connection after its response, before it has read the body.
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

/** Stops after `most` bytes: a longer object differs. */
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
