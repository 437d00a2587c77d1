/** The sealed batch of core has exactly the members of the contract. */
import { expect, test } from 'vitest';
import { sealImport } from '../../domain/import/import-batch.ts';
import { readKeepassXml } from '../../domain/keepass/read.ts';
import { base64Of, keepassXml, patternBytes } from '../../testing/keepass/keepass-files.ts';
import { somePeople } from '../../testing/keyrings.ts';
import { ImportBatch } from './import.ts';

test('the contract parses a sealed import without losing members', async () => {
  const [{ keyring }] = await somePeople(1);
  const entry = { title: 'Mail', user: 'ada', password: 'new', url: 'u', notes: 'n', strings: { otp: 'MFRGG' } };
  const files = [{ name: 'a', base64: base64Of(patternBytes(10, 1)) }];
  const history = [{ ...entry, user: 'bob', password: 'old', strings: { otp: 'key=MFRGG&step=45' } }];
  const xml = keepassXml({
    root: { name: 'r', entries: [{ ...entry, files, history }], groups: [{ name: 'g', notes: 'left out' }] },
  });
  const tree = await readKeepassXml(new TextEncoder().encode(xml));
  const batch: Record<string, unknown> = { name: 'keepass', fields: [] };
  for await (const piece of sealImport(keyring, tree, { rootName: 'keepass', now: Date.now() })) {
    if (piece.type === 'head') {
      const { groups, entries, skipped } = piece;
      Object.assign(batch, { groups, entries, skipped });
    } else batch['fields'] = [...(batch['fields'] as unknown[]), ...piece.fields];
  }
  const sent = JSON.parse(JSON.stringify(batch)) as unknown;
  expect(ImportBatch.parse(sent)).toEqual(sent);
});
