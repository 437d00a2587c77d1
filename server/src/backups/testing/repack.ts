/**
 * Unpacks archives and packs them with other contents, by a tar library that supports all features of tar.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, gunzipSync } from 'node:zlib';
import tar from 'tar-stream';
import type { Header } from 'tar-stream';
import { addDigest } from '../archive/archive-streams.ts';

export interface Entry {
  readonly header: Partial<Header> & { readonly name: string };
  readonly bytes: Buffer;
}

/** All entries of an unencrypted archive. */
export async function unpack(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const extract = tar.extract();
  extract.on('entry', (header, stream, next) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk as Buffer));
    stream.on('end', () => {
      entries.push({ header: { name: header.name }, bytes: Buffer.concat(chunks) });
      next();
    });
  });
  await pipeline(createReadStream(path), createGunzip(), extract);
  return entries;
}

/** Writes an unencrypted archive of these entries with its digest. */
export async function pack(path: string, entries: readonly Entry[]): Promise<string> {
  const packed = tar.pack();
  for (const { header, bytes } of entries) {
    if (header.type === undefined || header.type === 'file') packed.entry(header, bytes);
    else packed.entry(header);
  }
  packed.finalize();
  return seal(packed as unknown as NodeJS.ReadableStream, path);
}

/** The tar bytes of an unencrypted archive. */
export async function tarOf(path: string): Promise<Buffer> {
  return gunzipSync(await readFile(path));
}

/** Writes an unencrypted archive of these bytes, which need not be a valid tar. */
export const packBytes = (path: string, bytes: Buffer): Promise<string> => seal(Readable.from([bytes]), path);

async function seal(tarStream: NodeJS.ReadableStream, path: string): Promise<string> {
  await pipeline(tarStream, createGzip(), addDigest(), createWriteStream(path));
  return path;
}
