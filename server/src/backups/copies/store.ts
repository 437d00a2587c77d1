/** All methods throw CopyFailed. */
import type { FileDigest } from '../restore/file-digest.ts';

export interface Store {
  /** Null if absent. May stop reading beyond `most` bytes. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Whether this name is `source` itself, as through a link. */
  isSource(name: string, source: string): Promise<boolean>;
  /** The name must be free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** No error if absent. */
  remove(name: string): Promise<void>;
}
