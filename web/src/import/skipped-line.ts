/** What was left out of an import, in words. */
import type { Skipped } from '@passwordbroker/core/contract/entities';

/** `{kind: 'entry', reason: 'in the recycle bin', count: 3}` → '3 × entry: in the recycle bin' */
export function skippedLine({ kind, reason, count }: Skipped): string {
  return `${count} × ${kind}: ${reason}`;
}
