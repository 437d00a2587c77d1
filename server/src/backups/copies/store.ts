/** Operations of a second target. All throw CopyFailed. */
import type { FileDigest } from '../restore/file-digest.ts';

export interface Store {
  /** Digest of a stored file, null if there is none. May stop reading beyond `most` bytes. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Whether the file of this name is `source` itself, not a copy (for example behind a link). */
  isSource(name: string, source: string): Promise<boolean>;
  /** Stores the file `source`, which has this digest. The name must be free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** Removes a file; no error if there is none. */
  remove(name: string): Promise<void>;
}
