// @vitest-environment node
import { expect, test } from 'vitest';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { sealImport } from './import-sealing.ts';

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
  const steps: number[] = [];
  const { batch } = await sealImport(
    keyring,
    { file: fileWithLargeNotes(12), rootName: 'keepass' },
    {
      signal: new AbortController().signal,
      onProgress: ({ phase, done }) => phase === 'sealing' && void steps.push(done),
    },
  );
  expect(steps).toEqual([5, 10, 12]);
  const { fields } = JSON.parse(await batch.text()) as { fields: unknown[] };
  expect(fields).toHaveLength(12);
});
