import { expect, test } from 'vitest';
import { importFile } from '@passwordbroker/core/contract/entries/import';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { fitsOneImport } from '@passwordbroker/core/domain/exchange/writers';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { IMPORT_PARTS } from '@passwordbroker/core/domain/limits';
import { EMPTY_RECORD } from '@passwordbroker/core/domain/trust/trust-record';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { deviceStoreInMemory } from '../../testing/device-store-in-memory.ts';
import { sealImport } from './import-sealing.ts';
import { openSession } from '../open-session.ts';

const NOTE_BYTES = 1_000_000;

function fileWithLargeNotes(count: number): string {
  const entry = (at: number) =>
    `<Entry><UUID>${btoa(String(at).padStart(16, '0'))}</UUID><String><Key>Title</Key><Value>${at}</Value></String>` +
    `<String><Key>Notes</Key><Value>${'n'.repeat(NOTE_BYTES)}</Value></String></Entry>`;
  const entries = Array.from({ length: count }, (_, at) => entry(at)).join('');
  return (
    `<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>test</Generator></Meta><Root><Group>` +
    `<UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name>${entries}</Group></Root></KeePassFile>`
  );
}

async function opened() {
  const { keyring } = await createPerson();
  const session = await openSession(keyring, {
    deviceStore: deviceStoreInMemory(),
    document: null,
    pins: null,
    deskDocument: null,
    isMarked: false,
    browser: 'Firefox on Linux',
    isOffline: false,
  });
  await session.book.begin(EMPTY_RECORD);
  return { session, book: session.book };
}

const SILENT = { signal: new AbortController().signal, onProgress: () => undefined };

test('large values end a portion before it has 250 fields', async () => {
  const { session, book } = await opened();
  const steps: number[] = [];
  const { parts } = await sealImport(
    session,
    await readKeepassXml(utf8(fileWithLargeNotes(12))),
    { rootName: 'keepass', without: [] },
    {
      signal: new AbortController().signal,
      onProgress: ({ phase, done }) => phase === 'sealing' && void steps.push(done),
    },
  );
  expect(steps).toEqual([5, 10, 12]);
  const { fields, groups } = JSON.parse((await parts[0]?.batch?.text()) ?? '') as Record<
    'fields' | 'groups',
    { entry_group_id: string }[]
  >;
  expect(fields).toHaveLength(12);
  // Imported groups are known to this device, even if the upload fails.
  const rows = groups.map(({ entry_group_id }) => book.record()?.groups[entry_group_id]);
  expect(rows).toEqual(groups.map(() => expect.objectContaining({ how: 'made', role: 'admin', origin: 'client' })));
  expect(rows.map((row) => row?.path[0])).toEqual(groups.map(() => 'keepass'));
});

test('what one import takes is known when a file is written', async () => {
  const treeOf = (values: number): ExchangeTree => ({
    groups: [{ name: 'Root', parent: null, created: null, modified: null }],
    entries: Array.from({ length: values / 2 }, (_, at) => ({
      group: 0,
      title: `Entry ${at}`,
      tags: [],
      expires: null,
      created: at,
      modified: at,
      fields: ['Password', 'PIN'].map((title) => ({
        type: 'password',
        revisions: [{ content: { type: 'password', title, login: 'ada@example.org', value: `value ${at}` }, at }],
      })),
    })),
    skipped: [],
  });
  const { session } = await opened();
  const { parts } = await sealImport(session, treeOf(400), { rootName: 'k', without: [] }, SILENT);
  const size = parts[0]?.batch?.size ?? 0;
  const fitting = Math.floor(((IMPORT_PARTS * importFile.bodyLimit) / size) * 400);
  expect(fitsOneImport(treeOf(Math.floor(fitting * 0.4) * 2))).toBe(true);
  expect(fitsOneImport(treeOf(Math.ceil(fitting * 0.5) * 2))).toBe(false);
});

const filesOf = (count: number, bytes: number): ExchangeTree => ({
  groups: [{ name: 'Root', parent: null, created: null, modified: null }],
  entries: [
    {
      group: 0,
      title: 'Film',
      tags: [],
      expires: null,
      created: null,
      modified: null,
      fields: Array.from({ length: count }, () => ({
        type: 'file',
        revisions: [{ content: { type: 'file', title: 'a', name: 'a.bin', bytes: new Uint8Array(bytes) }, at: null }],
      })),
    },
  ],
  skipped: [],
});

test('more files than one form takes begin another part, however small they are', async () => {
  const { session } = await opened();
  const { parts } = await sealImport(session, filesOf(1001, 1), { rootName: 'k', without: [] }, SILENT);
  expect(parts.map(({ bodies, batch }) => [bodies.length, batch === null])).toEqual([
    [999, false],
    [2, true],
  ]);
});

test('what one request cannot take, even alone, is refused before anything is sent', async () => {
  const { session } = await opened();
  const tree = filesOf(1, importFile.bodyLimit);
  await expect(sealImport(session, tree, { rootName: 'k', without: [] }, SILENT)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('Encrypted, this import is larger than 64 MiB.') as string,
  });
});
