/** `release.json`, which the build makes: every file of the web client with its SHA-256. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

const Release = z.object({
  version: z.string(),
  /** Address → what a server gives out there. */
  files: z.record(
    z.string().check(z.regex(/^\/[\w./-]+$/)),
    z.object({ size: z.number(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
});
export type Release = z.output<typeof Release>;

/** Null where the file is not there or is none. */
export async function readRelease(path: string): Promise<Release | null> {
  try {
    const release = Release.parse(JSON.parse(await readFile(path, 'utf8')));
    return '/index.html' in release.files ? release : null;
  } catch {
    return null;
  }
}
