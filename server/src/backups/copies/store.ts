/** A second target. All methods throw CopyFailed. */
import type { FileDigest } from '../restore/file-digest.ts';

export interface Store {
  /** Digest of a stored file, null if absent. May stop reading beyond `most` bytes. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Whether this name is `source` itself, for example through a link. */
  isSource(name: string, source: string): Promise<boolean>;
  /** Stores `source`, which has this digest. The name must be free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** Removes a file; no error if absent. */
  remove(name: string): Promise<void>;
}
