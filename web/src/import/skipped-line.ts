/** What was left out of an import, in words. */
import type { Skipped } from '@passwordbroker/core/contract/entities';

/** `{kind: 'entry', reason: 'in the recycle bin', count: 3}` → '3 entries: in the recycle bin' */
export function skippedLine({ kind, reason, count }: Skipped): string {
  return `${count} ${count === 1 ? kind : plural(kind)}: ${reason}`;
}

function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
