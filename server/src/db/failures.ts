import { utimesSync } from 'node:fs';

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** Returns `'users.email_key'` for a violated unique column (`'t.a, t.b'`), else null. */
export function brokenUniqueness(error: unknown): string | null {
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION && error instanceof Error) return brokenInPostgres(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return null;
  return error instanceof Error ? error.message.replace(/^.*failed: /, '') : '';
}

/** Reads `Key (a, b)=(1, 2) already exists.` in any language. */
function brokenInPostgres({ table = '', detail = '' }: Error & { table?: string; detail?: string }): string {
  const columns = /\(([^()]*)\)=\(/.exec(detail)?.[1] ?? '';
  return columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
}

/** Conflict with a concurrent transaction; a retry may succeed. */
export const isCrossed = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error));

/** The `lock_timeout` of PostgreSQL has passed. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** As `isCrossed`, or a concurrent transaction violated a constraint. */
export const isOvertaken = (error: unknown): boolean =>
  isCrossed(error) || [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION].includes(codeOf(error));

/** Connection lost or refused, lock or timeout, conflict, standby, broken disk. */
const POSTGRES_UNAVAILABLE = /^(08|53|57P|58)...?$|^(55P03|57014|25P03|25006|40001|40P01)$/;

/**
 * The database rolled back while the transaction went on. Otherwise later statements would commit one by one,
 * or a failed commit count as success.
 */
export class TransactionGone extends Error {
  constructor() {
    super('The transaction was rolled back before its end');
    this.name = 'TransactionGone';
  }
}

/** Disk or quota is full. */
const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100']);

/** Returns null for errors outside the storage. */
export function storageFailure(error: unknown): 'unavailable' | 'insufficient_storage' | null {
  if (error instanceof TransactionGone) return 'unavailable';
  const code = codeOf(error);
  if (FULL.has(code)) return 'insufficient_storage';
  if (code.length === 5 && POSTGRES_UNAVAILABLE.test(code)) return 'unavailable';
  return /^SQLITE_(BUSY|LOCKED|IOERR|READONLY|CANTOPEN)/.test(code) ? 'unavailable' : null;
}

/** These do not endanger written data. */
const HARMLESS_IO = /^SQLITE_IOERR_(?:.*LOCK|NOMEM|BLOCKED|SHMSIZE|SHMOPEN|SHMMAP|GETTEMPPATH|CONVPATH|ACCESS)$/;

/**
 * Code of an SQLite I/O error that leaves the disk state unknown, else null. After a failed fsync the system
 * may drop pages, and the next fsync succeeds. Accepts cloned errors.
 */
export function lostWrite(error: unknown, dataDir: string): string | null {
  const code = codeOf(error);
  if (!code.startsWith('SQLITE_IOERR') || HARMLESS_IO.test(code)) return null;
  return code.endsWith('FSYNC') || !isReadOnly(dataDir) ? code : null;
}

/** A file system may turn read-only without reporting it. */
function isReadOnly(folder: string): boolean {
  try {
    utimesSync(folder, new Date(), new Date());
    return false;
  } catch (error) {
    return codeOf(error) === 'EROFS';
  }
}

export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(?:NOTADB|CORRUPT)/.test(String(error.code));
}
