/** Size of the trust record of a large account, and the time to open it (goal for 500 groups and 200 people: 150 kB, 30 ms). */
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { mergeTrust } from '@passwordbroker/core/domain/trust/merge-trust';
import { compactTrustRecord, readTrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { largeRecord } from '@passwordbroker/core/testing/groups/large-record';
import { percentile, printTable } from '../tools/table.ts';

const TIMES = 200;

const { keyring } = await createPerson();
const rows = [];
for (const [groups, people] of [
  [100, 40],
  [500, 200],
  [5_000, 1_000],
] as const) {
  const record = largeRecord(groups, people);
  const place = { name: 'trust', n: 1 } as const;
  const json = compactTrustRecord(record);
  const blob = await sealDocument(keyring, place, json);
  const opening: number[] = [];
  const merging: number[] = [];
  for (let at = 0; at < TIMES; at += 1) {
    const started = performance.now();
    const opened = await openDocument(keyring, place, blob, readTrustRecord);
    opening.push(performance.now() - started);
    const read = performance.now();
    mergeTrust(opened, record);
    merging.push(performance.now() - read);
  }
  rows.push({
    groups,
    people,
    'record kB': JSON.stringify(json).length / 1000,
    'sealed kB': (blob.length * 0.75) / 1000,
    'first opening ms': opening[0] ?? Number.NaN,
    'opening p50 ms': percentile(opening, 0.5),
    'opening p95 ms': percentile(opening, 0.95),
    'merging p50 ms': percentile(merging, 0.5),
  });
}
printTable('The trust record of an account', rows);
