/** An export from the real server, read back: every value, former values, files; and what was taken away meanwhile. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { detectFormat } from '@passwordbroker/core/domain/exchange/formats';
import { fileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { WRITERS } from '@passwordbroker/core/domain/exchange/writers';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { changeSite } from '../../../../server/src/system/site-settings.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import { NetworkError } from '../../transport/exchange.ts';
import type { ExportRequest, ExportWrites, ExportWork, VaultWrite } from '../vault.ts';

const PASSWORD = 'a long password of the file';
let app: TestApp;
let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
let exporter: ExportWrites;
let top: string;
let below: string;

withPeople(['ada'], (started, people) => {
  app = started;
  [ada] = people;
});
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  await app.deps.db.transact((tx) => tx.deleteFrom('exports').execute());
  await changeSite(
    app.deps,
    { actor: null, origin: { address: '', agentHash: null, userAgent: '', client: null } },
    { export_plain: true },
  );
  exporter = await write.exports();
  top = await group('Ops', null);
  below = await group('Web', top);
});

async function group(name: string, parentId: string | null): Promise<string> {
  return (await write.createGroup({ name, parentId, sameMembers: false })).entryGroup.entry_group_id;
}

/** 'Mail' with every type of field and one former password; 'Wiki' in the group below with one. */
async function fill() {
  const { entry_id: entryId } = await write.createEntry(top, 'Mail', undefined, { tags: ['mail'], icon: 'mail' });
  const path = { entryGroupId: top, entryId };
  const password = { type: 'password', title: 'Root', login: 'ada', value: 'first' } as const;
  const field = await write.createField(path, password);
  await write.updateField({ ...path, field }, { ...password, value: 'second ☂' });
  await write.createField(path, { type: 'link', title: 'URL', value: 'https://mail.example.org' });
  await write.createField(path, { type: 'note', title: 'Notes', value: 'two\nlines' });
  const totp = { type: 'TOTP', title: 'Code', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period: 60 } as const;
  await write.createField(path, totp);
  await write.createField(path, { type: 'file', title: 'Key', file: new File(['file bytes'], 'key.txt') });
  const wiki = { entryGroupId: below, entryId: (await write.createEntry(below, 'Wiki')).entry_id };
  await write.createField(wiki, { type: 'password', title: 'Wiki', login: 'bob', value: 'third' });
  return { path, field, wiki };
}

const start = (more: Partial<ExportRequest> = {}): Promise<Export> =>
  exporter.start({ scope: { groups: [top, below] }, format: 'kdbx', history: true, files: true, ...more });

const written = (started: Export, onProgress?: (work: ExportWork) => void) =>
  exporter.write(started, { name: 'all', password: PASSWORD }, onProgress === undefined ? {} : { onProgress });

async function readBack(file: Blob): Promise<ExchangeTree> {
  const { format } = await detectFormat(file);
  const read = await format.load();
  return read(file, { password: PASSWORD }, { now: Date.now(), argon2: fileArgon2 });
}

/** 'group › entry › type title: values', oldest value first. */
const told = ({ groups, entries }: ExchangeTree) =>
  entries
    .flatMap(({ group, title, fields }) =>
      fields.map(({ type, revisions }) => {
        const values = revisions.map(({ content }) =>
          content.type === 'file'
            ? `${content.name} ${new TextDecoder().decode(content.bytes)}`
            : `${content.type === 'password' ? `${content.login} ` : ''}${content.value}`,
        );
        return `${groups[group]?.name} › ${title} › ${type} ${revisions.at(-1)?.content.title}: ${values.join(' | ')}`;
      }),
    )
    .toSorted();

const WHOLE = [
  'Mail › TOTP Code: JBSWY3DPEHPK3PXP',
  'Mail › file Key: key.txt file bytes',
  'Mail › link URL: https://mail.example.org',
  'Mail › note Notes: two\nlines',
  'Mail › password Root: ada first | ada second ☂',
];

describe('an export', () => {
  test('of two groups into KDBX comes back with all values, former ones and files; each was recorded once', async () => {
    const { path, field } = await fill();
    const started = await start();
    expect(started.counts).toMatchObject({ entry_groups: 2, entries: 2, values: 7 });
    const phases = new Set<string>();
    const { file, extension, values, gone, failed, lost } = await written(started, ({ phase }) => phases.add(phase));
    expect([extension, values, gone, failed]).toEqual(['kdbx', 7, 0, 0]);
    expect([...phases]).toEqual(['opening', 'writing']);
    expect(lost).toContainEqual({ kind: 'icon', reason: 'not supported', count: 1 });
    const tree = await readBack(file);
    expect(tree.groups.map(({ name }) => name)).toContain('Web');
    expect(tree.entries.find(({ title }) => title === 'Mail')?.tags).toEqual(['mail']);
    const lines = told(tree).map((line) => line.replace(/^.*? › /, ''));
    for (const line of WHOLE) expect(lines).toContain(line);
    expect(lines).toContain('Wiki › password Wiki: bob third');
    const history = await real.vault.read.history({ ...path, field });
    expect(
      history.filter(({ purpose, label, via }) => `${purpose} ${label} ${via}` === 'export kdbx web'),
    ).toHaveLength(2);
  });

  test.each(WRITERS.map(({ id }) => id))('every kind of file is written and recognised: %s', async (id) => {
    await fill();
    const format = id as ExportRequest['format'];
    const { file, values } = await written(await start({ format }));
    expect(values).toBe(7);
    const text = await file.text();
    expect(text.includes('second ☂')).toBe(!isEncrypted(format) && !text.startsWith('PK'));
    if (id === 'cxf') return;
    const passwords = told(await readBack(file)).filter((line) => line.includes('› password'));
    expect(passwords.join('\n')).toContain('second ☂');
    expect(passwords.join('\n')).toContain('third');
  });

  test('counts what was deleted meanwhile, and asks again for a page whose answer was lost', async () => {
    const { path, field } = await fill();
    const started = await start();
    await write.removeField({ ...path, field: { ...field, rev: 2 } });
    let isLost = false;
    real.swallow = (request) => {
      if (isLost || !request.endsWith('/releases')) return null;
      isLost = true;
      throw new NetworkError('The connection was lost');
    };
    const { values, gone } = await written(started);
    real.swallow = null;
    expect([isLost, values, gone]).toEqual([true, 5, 2]);
  });

  test('leaves out a damaged value and says how many', async () => {
    const { wiki } = await fill();
    await app.deps.db.transact((tx) =>
      tx
        .updateTable('field_revisions')
        .set({ value: Buffer.alloc(212) })
        .where('field_id', 'in', (eb) =>
          eb.selectFrom('fields').select('field_id').where('entry_id', '=', wiki.entryId),
        )
        .execute(),
    );
    const { values, failed } = await written(await start());
    expect([values, failed]).toEqual([6, 1]);
  });

  test('that is cancelled says how many values had been released', async () => {
    await fill();
    const started = await start();
    const stop = new AbortController();
    const writing = exporter.write(
      started,
      { name: 'all', password: PASSWORD },
      {
        signal: stop.signal,
        onProgress: () => stop.abort(),
      },
    );
    await expect(writing).rejects.toThrow();
    expect(await exporter.cancel(started.export_id)).toMatchObject({ state: 'cancelled', released: 7 });
  });

  test('ends with the lock: no opened value is left to write', async () => {
    await fill();
    const started = await start();
    real.before = async (request) => {
      if (request.includes('/file?')) real.keyring.lock();
    };
    await expect(written(started)).rejects.toMatchObject({ code: 'locked' });
  });
});
