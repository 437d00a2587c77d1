/** Messages between server and copy thread; all survives a structured clone. */
import type { CopyTarget } from './copy-target.ts';

interface Common {
  readonly target: CopyTarget;
  /** Id of the backup: unique among sites that share a target. */
  readonly id: string;
  /** In BACKUP_DIR and in the target. */
  readonly name: string;
}

export type CopyJob = Common &
  (
    | {
        readonly kind: 'copy';
        readonly source: string;
        /** `sha256` is null for archives of older versions. */
        readonly expected: { readonly size: number | null; readonly sha256: string | null };
      }
    | { readonly kind: 'remove' }
  );

export type FromCopy =
  | { readonly type: 'alive' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly sentence: string; readonly code: string; readonly isFinal: boolean }
  | { readonly type: 'broken'; readonly name: string; readonly stack: string };
