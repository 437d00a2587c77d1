/** Prints one line about a test of faults: what happened, and how many writes were acknowledged and found. */
import type { Ledger } from './ledger.ts';

/** @param what e.g. `12 kills` */
export function printLedger(what: string, { acknowledged, asked, refusedTwice, statuses }: Ledger): void {
  const answers = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'cut off' : status} ${count}`)
    .join(', ');
  process.stdout.write(
    `ledger: ${what}; ${asked} writes asked for, ${acknowledged} acknowledged, all of them found; ` +
      `${refusedTwice} refused twice; answers: ${answers}\n`,
  );
}
