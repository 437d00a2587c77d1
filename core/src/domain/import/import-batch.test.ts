/** Sealed imports open at their own path only. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keepassXml, largeKeepassXml, base64Of, patternBytes } from '../../testing/keepass/keepass-files.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { openField, openFile } from '../fields/field.ts';
import { type OpenedGroupKey, openGroup } from '../groups/group-keys.ts';
import { type ImportGroupWire, type SealOptions, type SealedHead, sealImport } from './import-batch.ts';
import type { ImportFieldWire, SealedPortion } from './import-fields.ts';
import { readKeepassXml } from '../keepass/read.ts';
import type { ExchangeTree } from '../exchange/tree.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW = Date.parse('2026-02-03T04:05:06Z');

let ada: TestPerson;
beforeAll(async () => {
  [ada] = await somePeople(1);
});

async function seal(tree: ExchangeTree, options: Partial<SealOptions> = {}) {
  let head: SealedHead | undefined;
  const portions: SealedPortion[] = [];
  for await (const piece of sealImport(ada.keyring, tree, { rootName: 'keepass', now: NOW, ...options })) {
    if (piece.type === 'head') head = piece;
    else portions.push(piece);
  }
  if (head === undefined) throw new Error('A batch begins with its head');
  const bodies = new Map(portions.flatMap(({ bodies: all }) => all.map(({ part, bytes }) => [part, bytes] as const)));
  return { head, fields: portions.flatMap(({ fields }) => fields), bodies };
}

const readText = (xml: string) => readKeepassXml(new TextEncoder().encode(xml));

/** Response of the server with a group's keys. */
function opened(group: ImportGroupWire): Promise<OpenedGroupKey> {
  const rosters = [{ ...group, signer_certificate: ada.bundle.certificate }];
  const grants = group.grants.map(({ user_id, encrypted_aes_password }) => ({
    user_id,
    gk_version: 1,
    alg: 'rsa-oaep-256',
    encrypted_aes_password_base64: encrypted_aes_password,
  }));
  return openGroup(ada.keyring, { gk_version: 1, origin: 'client', rosters, grants }, group.entry_group_id);
}

async function contentsOf(head: SealedHead, field: ImportFieldWire) {
  const entry = head.entries.find(({ entry_id }) => entry_id === field.entry_id);
  const group = head.groups.find(({ entry_group_id }) => entry_group_id === entry?.entry_group_id);
  if (entry === undefined || group === undefined) throw new Error('A field is in an entry of a group');
  const { groupKey } = await opened(group);
  return Promise.all(
    field.revisions.map((revision) => {
      const place = {
        entryGroupId: group.entry_group_id,
        entryId: entry.entry_id,
        fieldId: field.field_id,
        type: field.type,
        rev: revision.rev,
      };
      return openField(groupKey, place, {
        rev: revision.rev,
        gk_version: revision.gk_version,
        cek_wrapped_base64: revision.cek_wrapped,
        encrypted_value_base64: revision.value_encrypted,
      });
    }),
  );
}

/** Counts calls of unwrapping and decrypting. */
function countDecrypts() {
  const { subtle } = crypto;
  const count = { rsa: 0, all: 0 };
  const [decrypt, unwrapKey] = [subtle.decrypt.bind(subtle), subtle.unwrapKey.bind(subtle)];
  const counted = (key: CryptoKey) => {
    count.all += 1;
    if (key.algorithm.name === 'RSA-OAEP') count.rsa += 1;
  };
  subtle.decrypt = (...given) => {
    counted(given[1]);
    return decrypt(...given);
  };
  subtle.unwrapKey = ((...given: Parameters<typeof unwrapKey>) => {
    counted(given[2]);
    return unwrapKey(...given);
  }) as typeof subtle.unwrapKey;
  onTestFinished(() => {
    Reflect.deleteProperty(subtle, 'decrypt');
    Reflect.deleteProperty(subtle, 'unwrapKey');
  });
  return count;
}

const text = (value: Uint8Array) => new TextDecoder().decode(value);

describe('a sealed import', async () => {
  const files = [patternBytes(100_000, 1), patternBytes(10, 2)] as const;
  const tree = await readText(
    keepassXml({
      root: {
        name: 'Passwords',
        entries: [
          {
            title: 'Mail',
            user: 'ada',
            password: 'new',
            url: 'https://mail.example',
            protected: { otp: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP&period=60' },
            files: [{ name: 'key.bin', base64: base64Of(files[1]) }],
            history: [
              {
                title: 'Mail',
                user: 'ada.old',
                password: 'old',
                modified: '2023-04-01T00:00:00Z',
                protected: { otp: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP' },
                files: [{ name: 'key.bin', base64: base64Of(files[0]) }],
              },
            ],
          },
        ],
        groups: [{ name: 'Below', entries: [{ title: '', notes: 'n' }] }],
      },
    }),
  );

  test('contains the names, paths and times of the file', async () => {
    const { head, fields } = await seal(tree);
    const [root, below] = head.groups;
    expect(root).toMatchObject({
      name: 'keepass',
      created_at: '2023-03-01T08:00:00.000Z',
      updated_at: '2024-05-01T10:00:00.000Z',
    });
    expect(root?.parent_entry_group_id).toBeUndefined();
    expect(below).toMatchObject({ name: 'Below', parent_entry_group_id: root?.entry_group_id });
    expect(head.entries.map(({ title, entry_group_id }) => [title, entry_group_id])).toEqual([
      ['Mail', root?.entry_group_id],
      ['(no title)', below?.entry_group_id],
    ]);
    expect(head.fields).toBe(fields.length);
    const ids = [
      ...head.groups.map(({ entry_group_id }) => entry_group_id),
      ...head.entries.map(({ entry_id }) => entry_id),
      ...fields.map(({ field_id }) => field_id),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(UUID_V7);
  });

  test('every value opens at its path, former values with their former titles', async () => {
    const { head, fields, bodies } = await seal(tree);
    const [password, link, totp, file, note] = fields;
    if (!password || !link || !totp || !file || !note) throw new Error('Five fields');

    const passwords = await contentsOf(head, password);
    expect(passwords.map((content) => content.type === 'password' && [content.login, text(content.value)])).toEqual([
      ['ada.old', 'old'],
      ['ada', 'new'],
    ]);
    expect(password).toMatchObject({ type: 'password', title: 'Password', login: 'ada' });
    expect(password.revisions).toMatchObject([
      { rev: 1, login: 'ada.old', created_at: '2023-04-01T00:00:00.000Z' },
      { rev: 2, created_at: '2024-05-01T10:00:00.000Z' },
    ]);
    expect(password.revisions[1]).not.toHaveProperty('login');

    expect(await contentsOf(head, totp)).toMatchObject([
      { totp: { algorithm: 'sha1', period: 30 } },
      { totp: { algorithm: 'sha1', period: 60 } },
    ]);
    expect(totp).toMatchObject({ totp_hash_algorithm: 'sha1', totp_timeout: 60 });
    expect(totp.revisions[0]).toMatchObject({ totp_timeout: 30 });

    const contents = await contentsOf(head, file);
    for (const [at, content] of contents.entries()) {
      const body = bodies.get(`file_${file.field_id}_${at + 1}`);
      if (content.type !== 'file' || body === undefined) throw new Error('A file has a body');
      expect(await openFile(file.field_id, content.file, [body])).toEqual(files[at]);
    }
    expect(file).toMatchObject({ file_name: 'key.bin', file_size: 10 });
    expect(file.revisions[0]).toMatchObject({ file_size: 100_000 });
    expect(bodies.size).toBe(2);

    expect((await contentsOf(head, note)).map((content) => content.type === 'note' && text(content.value))).toEqual([
      'n',
    ]);
    expect(link.revisions).toHaveLength(1);
  });

  test('sealing unwraps no key; opening a value unwraps one', async () => {
    const count = countDecrypts();
    const { head, fields } = await seal(tree);
    expect([head.groups.length, fields.length, count]).toEqual([2, 5, { rsa: 0, all: 0 }]);
    const [first] = fields;
    if (first === undefined) throw new Error('A field');
    await contentsOf(head, first);
    expect(count.rsa).toBe(1);
  });

  test('each group has a key of its own', async () => {
    const { head, fields } = await seal(tree);
    const [first] = fields;
    const other = head.groups[1];
    if (first === undefined || other === undefined) throw new Error('A field and two groups');
    const elsewhere = {
      ...head,
      entries: head.entries.map((entry) => ({ ...entry, entry_group_id: other.entry_group_id })),
    };
    await expect(contentsOf(elsewhere, first)).rejects.toMatchObject({ code: 'commit' });
  });

  test('contains no plaintext of values or keys', async () => {
    const { head, fields } = await seal(tree);
    const sent = JSON.stringify([head, fields]);
    for (const secret of ['old', 'new', 'https://mail.example', 'JBSWY3DPEHPK3PXP']) {
      expect(sent).not.toContain(`"${secret}"`);
      expect(sent).not.toContain(btoa(secret));
    }
  });
});

describe('a large import', async () => {
  const tree = await readText(largeKeepassXml(1000));

  test('is split into portions and reports progress', async () => {
    const progress: [number, number][] = [];
    const { fields } = await seal(tree, { onProgress: (done, total) => progress.push([done, total]) });
    expect(fields).toHaveLength(3000);
    expect(progress.at(-1)).toEqual([3000, 3000]);
    expect(progress.length).toBeGreaterThan(5);
  });

  test('can be aborted', async () => {
    const abort = new AbortController();
    const sealing = seal(tree, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(sealing).rejects.toMatchObject({ name: 'AbortError' });
    await expect(seal(tree, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
