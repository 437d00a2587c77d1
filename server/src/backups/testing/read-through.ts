/** The result of reading an archive, without checking its rows. */
import { readArchive } from '../archive/read-archive.ts';

/** Reads an unencrypted archive completely. Returns `read`, or the error as `fault: detail`. */
export async function readThrough(path: string): Promise<string> {
  try {
    for await (const part of readArchive({ path, opener: null })) {
      if (!('content' in part)) continue;
      for await (const chunk of part.content) if (chunk.length === 0) return 'a chunk without bytes';
    }
    return 'read';
  } catch (error) {
    const { fault, detail } = error as { fault: string; detail: string };
    return `${fault}: ${detail}`;
  }
}
