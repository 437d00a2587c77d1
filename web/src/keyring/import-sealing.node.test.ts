import { expect, test } from 'vitest';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { shelfInMemory } from '../testing/shelf-in-memory.ts';
import { sealImport } from './import-sealing.ts';
import { rememberRosters } from './roster-memory.ts';

const NOTE_BYTES = 1_000_000;

function fileWithLargeNotes(count: number): Blob {
  const entry = (at: number) =>
    `<Entry><UUID>${btoa(String(at).padStart(16, '0'))}</UUID><String><Key>Title</Key><Value>${at}</Value></String>` +
    `<String><Key>Notes</Key><Value>${'n'.repeat(NOTE_BYTES)}</Value></String></Entry>`;
  const entries = Array.from({ length: count }, (_, at) => entry(at)).join('');
  return new Blob([
    `<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group>` +
      `<UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name>${entries}</Group></Root></KeePassFile>`,
  ]);
}

test('large values end a portion long before 250 fields do', async () => {
  const { keyring } = await createPerson();
  const memory = rememberRosters(keyring, shelfInMemory());
  const steps: number[] = [];
  const { batch } = await sealImport(
    { keyring, memory },
    { file: fileWithLargeNotes(12), rootName: 'keepass' },
    {
      signal: new AbortController().signal,
      onProgress: ({ phase, done }) => phase === 'sealing' && void steps.push(done),
    },
  );
  expect(steps).toEqual([5, 10, 12]);
  const { fields, groups } = JSON.parse(await batch.text()) as Record<
    'fields' | 'groups',
    { entry_group_id: string }[]
  >;
  expect(fields).toHaveLength(12);
  // Its own groups are no strangers to this device, whatever becomes of the batch.
  const remembered = await Promise.all(groups.map(({ entry_group_id }) => memory.accepted(entry_group_id)));
  expect(remembered).toEqual(groups.map(() => expect.objectContaining({ seq: 0, role: 'admin', origin: 'client' })));
});
