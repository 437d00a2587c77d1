/** Calls of exports with their proofs, and what they have recorded. */
import * as exports from '@passwordbroker/core/contract/entries/exports';
import type { ExportFormat } from '@passwordbroker/core/domain/exchange/export-formats';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';

interface Scope {
  readonly groups?: readonly string[];
  readonly below?: boolean;
  readonly entries?: readonly string[];
}
interface Options {
  readonly format?: ExportFormat;
  readonly history?: boolean;
  readonly files?: boolean;
}

export const exporting = (app: TestApp) => ({
  start: (who: SignedIn, scope: Scope, { format = 'kdbx', ...more }: Options = {}) =>
    callWithProof(app, who, exports.start, { params: {}, body: { scope, format, ...more } }),
  release: (who: SignedIn, exportId: string, after = 0, limit = 500) =>
    callWithProof(app, who, exports.release, { params: { exportId }, body: { after, limit } }),
  finish: (who: SignedIn, exportId: string, state: 'done' | 'cancelled' = 'done') =>
    callWithProof(app, who, exports.finish, { params: { exportId }, body: { state } }),
  outline: (who: SignedIn, exportId: string, after = 0) =>
    callWithProof(app, who, exports.outline, { params: { exportId }, query: { after } }),

  /** Rows of the value being opened, as 'person rev purpose label via', oldest first. */
  async opened(fieldId: string): Promise<string[]> {
    const rows = await app.deps.db.read
      .selectFrom('field_history')
      .innerJoin('users', 'users.user_id', 'field_history.user_id')
      .select(['users.name', 'rev', 'purpose', 'label', 'via'])
      .where('field_id', '=', fieldId)
      .where('event_type', '=', 'decrypted')
      .orderBy('field_edit_log_id')
      .execute();
    return rows.map(({ name, rev, purpose, label, via }) => `${name} ${rev} ${purpose} ${label} ${via}`);
  },
  /** Forgets all exports: a person has one at a time. */
  clear: () => app.deps.db.transact((tx) => tx.deleteFrom('exports').execute()),
});
