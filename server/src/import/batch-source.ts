/** A batch that a client has sealed, piece by piece. */
import type { Skipped } from '@passwordbroker/core/contract/entities';
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
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
  /** SHA-256 by which a repeat of the same request is recognised. */
  readonly digest: Buffer;
  head(): Promise<BatchHead>;
  portions(): AsyncIterable<FieldPortion>;
}
