/** A batch that has been checked, as rows of the database: what one thread makes and another writes. Everything here survives a structured clone. */
import type { Skipped } from '@passwordbroker/core/contract/entities';
import type { PackedRows } from '../db/packed-rows.ts';
import type { GroupRows } from './batch-groups.ts';

export interface RowsHead {
  /** Whether the tree's name is the server's to choose, because it depends on what the caller has already. */
  readonly choosesName: boolean;
  /** SHA-256 by which a repeat of the same request is recognised; null where the request held a secret. */
  readonly digest: Uint8Array | null;
  /** The root first. */
  readonly groups: readonly GroupRows[];
  readonly entries: PackedRows<'entries'>;
  /** How many fields will follow. */
  readonly fields: number;
  readonly skipped: readonly Skipped[];
}

export interface RowPortion {
  readonly fields: PackedRows<'fields'>;
  readonly revisions: PackedRows<'field_revisions'>;
  readonly history: PackedRows<'field_history'>;
  /** Of the entries whose fields have all come, as far as anybody can tell. */
  readonly search: PackedRows<'entry_search'>;
  /** Entries of which a field came when their search text had been made: they are to be indexed anew. */
  readonly reopened: readonly string[];
}

export interface PortionCounts {
  readonly fields: number;
  readonly revisions: number;
  /** Bytes that count for the quota of the person who imports. */
  readonly stored: number;
}

/** A portion as bytes (`portion-bytes.ts`): as such it is handed over and waits without being read. */
export interface PortionBytes {
  readonly counts: PortionCounts;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface BatchRows {
  head(): Promise<RowsHead>;
  portions(): AsyncIterable<RowPortion | PortionBytes>;
}
