/** What the reader of archives says of one by itself, before anybody looks at its rows. */
import { readArchive } from '../archive/read-archive.ts';

/** Reads a plain archive to its end, and nothing more: `read`, or why it was refused, as `fault: detail`. */
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
