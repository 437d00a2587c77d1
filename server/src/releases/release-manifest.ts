/** Every file of the web client with its SHA-256, written by the build. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

const Release = z.object({
  version: z.string(),
  /** By address. */
  files: z.record(
    z.string().check(z.regex(/^\/[\w./-]+$/)),
    z.object({ size: z.number(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
});
export type Release = z.output<typeof Release>;

/** Null if missing or invalid. */
export async function readRelease(path: string): Promise<Release | null> {
  try {
    const release = Release.parse(JSON.parse(await readFile(path, 'utf8')));
    return '/index.html' in release.files ? release : null;
  } catch {
    return null;
  }
}
