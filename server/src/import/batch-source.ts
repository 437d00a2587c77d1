/** Where a sealed batch comes from: the caller's JSON, or the thread that seals a KeePass file in his name. Both give the same pieces. */
import type { Skipped } from '@passwordbroker/core/contract/entities';
import type { ImportBatch } from '@passwordbroker/core/contract/import';
import type { BodyPart } from './import-job.ts';

export interface BatchHead {
  readonly groups: ImportBatch['groups'];
  readonly entries: ImportBatch['entries'];
  /** How many fields will follow. */
  readonly fields: number;
  readonly skipped: readonly Skipped[];
}

/** Some fields, with the file bodies that belong to them. */
export interface FieldPortion {
  readonly fields: ImportBatch['fields'];
  readonly bodies: readonly BodyPart[];
}

export interface BatchSource {
  /** Whether the tree's name is ours to choose, because it depends on what the caller has already. */
  readonly choosesName: boolean;
  /** SHA-256 by which a repeat of the same request is recognised; null where the request held a secret. */
  readonly digest: Buffer | null;
  head(): Promise<BatchHead>;
  portions(): AsyncIterable<FieldPortion>;
}
