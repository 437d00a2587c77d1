import type { Transact } from '../../db/database.ts';
import { openBulkWriter } from '../../db/bulk/writer.ts';
import type { InsertRows } from '../../db/bulk/writer.ts';
import { storageFailure } from '../../db/failures.ts';
import { ArchiveError, damaged } from '../archive/archive-problem.ts';

export interface ScratchTransaction {
  readonly rows: Transact;
  readonly insert: InsertRows;
  /** Commits, or rolls back with this error. @throws ArchiveError */
  end(work: Error | null): Promise<void>;
}

/** Stays open until `end`. */
export async function openTransaction(path: string): Promise<ScratchTransaction> {
  const writer = await openBulkWriter(path);
  let end = (_error: Error | null) => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === null ? resolve() : reject(error));
  });
  let whole: Promise<void> = Promise.resolve();
  const { rows, insert } = await new Promise<Pick<ScratchTransaction, 'rows' | 'insert'>>((resolve, reject) => {
    whole = writer.transact((own, given) => {
      resolve({ rows: own, insert: given });
      return ended;
    });
    whole.catch(reject);
  });
  return {
    rows,
    insert,
    async end(error: Error | null) {
      end(error);
      await whole.catch((reason: unknown) => {
        if (reason !== error) throw asDamage(reason, 'the commit');
      });
      await writer.close();
    },
  };
}

/** The archive's fault, or `space` if the disk is full. */
export function asDamage(error: unknown, place: string): unknown {
  if (error instanceof ArchiveError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (storageFailure(error) === 'insufficient_storage') return new ArchiveError('space', place);
  // SQLSTATE 22: invalid values, 23: constraints.
  return /^(SQLITE_(CONSTRAINT|MISMATCH$|ERROR$)|2[23]...$)/.test(code) ? damaged(`${place}: ${code}`) : error;
}
