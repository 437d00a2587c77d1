/** What the engine's errors mean, in words that do not depend on the engine. */

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** `'users.email_key'` when the write broke the uniqueness of that column (`'t.a, t.b'` for several), else null. */
export function brokenUniqueness(error: unknown): string | null {
  const code = codeOf(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return null;
  return error instanceof Error ? error.message.replace(/^.*failed: /, '') : '';
}

/** Whether the storage cannot serve now (`unavailable`) or is full (`insufficient_storage`); null for anything else. */
export function storageFailure(error: unknown): 'unavailable' | 'insufficient_storage' | null {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return 'insufficient_storage';
  return /^SQLITE_(BUSY|LOCKED|IOERR|READONLY|CANTOPEN)/.test(code) ? 'unavailable' : null;
}
