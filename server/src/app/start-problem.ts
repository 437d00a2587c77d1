import { DataDirShared } from '../db/data-folder.ts';
import { isDamage, storageFailure } from '../db/failures.ts';
import { SchemaError } from '../db/schema/migrate.ts';
import { DataDirInUse } from '../db/sqlite/connections.ts';
import { RELEASED } from './version.ts';

/** File system errors of the data folder that an operator can fix. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']);

const TOLD_AS_THEY_ARE = [SchemaError, DataDirInUse, DataDirShared];

/** The sentence for an operator (docs/spec/threats.md §5.2.5); null for a bug, which is thrown. */
export function startProblem(error: unknown, dataDir: string): string | null {
  if (!(error instanceof Error)) return null;
  if (TOLD_AS_THEY_ARE.some((kind) => error instanceof kind) || isListenError(error)) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (isDamage(error))
    return `The database in ${dataDir} is damaged (${code}): restore a backup, or look at it with doctor.`;
  if (storageFailure(error) === 'insufficient_storage') return `There is no room left for the data folder ${dataDir}.`;
  if (REFUSALS.has(code) || /^SQLITE_(?:READONLY|CANTOPEN)/.test(code)) {
    return `The data folder ${dataDir} cannot be written (${code}): it has to be a folder of this account.`;
  }
  return null;
}

const isListenError = (error: Error) => 'syscall' in error && error.syscall === 'listen';

/** Sessions, rate limits and backups need a correct clock. @param now milliseconds */
export function clockProblem(now: number): string | null {
  if (now >= Date.parse(RELEASED)) return null;
  return `The clock of this machine says ${new Date(now).toISOString()}, which is before this version was made (${RELEASED}): set it.`;
}
