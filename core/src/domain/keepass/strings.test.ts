/** Strings that programs give a meaning: addresses, passkeys, counters, references to other entries. */
import { describe, expect, test } from 'vitest';
import { treeOf } from '../../testing/keepass/keepass-tree.ts';
import type { XmlEntry } from '../../testing/keepass/keepass-files.ts';
import type { PlainContent } from '../exchange/tree.ts';
import { passkeyStrings } from './passkey-strings.ts';

const read = async (...entries: readonly XmlEntry[]) => {
  const tree = await treeOf({ entries });
  const contents = tree.entries.map(({ fields }) => fields.map(({ revisions }) => revisions.at(-1)?.content));
  return { contents, skipped: tree.skipped };
};
const shown = (content: PlainContent | undefined) =>
  content === undefined || content.type === 'file' ? null : [content.type, content.title, content.value];

test('further addresses and apps are links', async () => {
  const { contents, skipped } = await read(
    { title: 'Both', url: 'https://a.example', strings: { KP2A_URL: 'https://b.example', URL_1: 'https://c.example' } },
    { title: 'Apps', strings: { KP2A_URL_1: 'https://d.example', AndroidApp: 'org.example.app', AndroidApp1: 'x y' } },
    { title: 'Others', strings: { URLs: 'text', KP2A_URL_x: 'text' } },
  );
  expect(contents.map((fields) => fields.map(shown))).toEqual([
    [
      ['link', 'URL', 'https://a.example'],
      ['link', 'URL 2', 'https://b.example'],
      ['link', 'URL 3', 'https://c.example'],
    ],
    [
      ['link', 'URL', 'https://d.example'],
      ['link', 'URL 2', 'androidapp://org.example.app'],
      ['link', 'URL 3', 'x y'],
    ],
    [
      ['note', 'URLs', 'text'],
      ['note', 'KP2A_URL_x', 'text'],
    ],
  ]);
  expect(skipped).toEqual([]);
});

const PEM = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n-----END PRIVATE KEY-----';
const PASSKEY = {
  KPEX_PASSKEY_CREDENTIAL_ID: 'Y3JlZA',
  KPEX_PASSKEY_PRIVATE_KEY_PEM: PEM,
  KPEX_PASSKEY_RELYING_PARTY: 'example.org',
  KPEX_PASSKEY_USERNAME: 'ada',
  KPEX_PASSKEY_USER_HANDLE: 'aGFuZGxl',
};

describe('passkeys', () => {
  test('of KeePassXC become one field in the form of CXF, and back', async () => {
    const { contents, skipped } = await read({ title: 'Key', protected: PASSKEY });
    const [[field] = []] = contents;
    expect(field).toMatchObject({ type: 'password', title: 'Passkey for example.org', login: '' });
    const value = field?.type === 'password' ? field.value : '';
    expect(JSON.parse(value)).toEqual({
      credentialId: 'Y3JlZA',
      rpId: 'example.org',
      username: 'ada',
      userDisplayName: 'ada',
      userHandle: 'aGFuZGxl',
      key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg',
    });
    expect(contents[0]).toHaveLength(1);
    expect(skipped).toEqual([
      { kind: 'passkey', reason: 'kept as text; signing in with it is not possible here', count: 1 },
    ]);
    expect(Object.fromEntries(passkeyStrings(value) ?? [])).toEqual(PASSKEY);
  });

  test('of version 2.7.7 name the credential otherwise', async () => {
    const { KPEX_PASSKEY_CREDENTIAL_ID: id, ...rest } = PASSKEY;
    const { contents } = await read({ title: 'Key', protected: { ...rest, KPEX_PASSKEY_GENERATED_USER_ID: id } });
    expect(contents[0]).toHaveLength(1);
  });

  test.each(['KPEX_PASSKEY_PRIVATE_KEY_PEM', 'KPEX_PASSKEY_RELYING_PARTY'])(
    'without %s stay strings',
    async (missing) => {
      const { contents } = await read({ title: 'Key', protected: { ...PASSKEY, [missing]: 'x'.repeat(0) } });
      expect(contents[0]?.map((content) => content?.title)).toEqual(
        Object.keys(PASSKEY).filter((key) => key !== missing),
      );
    },
  );

  test('values that are none have no strings', () => {
    for (const value of ['', '[]', 'null', '{}', '{"credentialId":"a","rpId":"b","userHandle":"c","key":"!"}'])
      expect(passkeyStrings(value)).toBeNull();
  });
});

test('one-time passwords by counter are kept as text and said', async () => {
  const { contents, skipped } = await read({
    title: 'Counter',
    protected: { 'HmacOtp-Secret-Base32': 'JBSWY3DPEHPK3PXP' },
    strings: { 'HmacOtp-Counter': '7' },
  });
  expect(contents[0]?.map(shown)).toEqual([
    ['note', 'HmacOtp-Counter', '7'],
    ['password', 'HmacOtp-Secret-Base32', 'JBSWY3DPEHPK3PXP'],
  ]);
  expect(skipped).toMatchObject([{ kind: 'one-time password', count: 1 }]);
});

describe('references', () => {
  const values = async (entry: XmlEntry, ...others: readonly XmlEntry[]) => {
    const { contents, skipped } = await read(entry, ...others);
    return { fields: contents[0]?.map((content) => shown(content)?.[2]), skipped };
  };
  const target: XmlEntry = { title: 'Target', user: 'ada', password: 'secret', url: 'https://t.example', notes: 'n' };

  test('of each field, by each field', async () => {
    const notes =
      '{REF:T@U:ada} {REF:u@t:target} {REF:P@A:https://t.example} {REF:A@N:n} {REF:N@O:code} {REF:P@T:Target}';
    const result = await values({ title: 'From', notes }, { ...target, strings: { Extra: 'code' } });
    expect(result).toEqual({ fields: ['Target ada secret https://t.example n secret'], skipped: [] });
  });

  test('by id', async () => {
    const more = '<UUID>AAECAwQFBgcICQoLDA0ODw==</UUID>';
    const result = await values(
      { title: 'From', password: '{REF:P@I:000102030405060708090a0b0c0d0e0f}' },
      { ...target, more },
    );
    expect(result).toEqual({ fields: ['secret'], skipped: [] });
  });

  test.each(['{REF:P@T:nobody}', '{REF:P@I:00}', '{REF:P@T:From} and me', '{REF:X@T:Target}'])(
    '%s stays as it is written',
    async (password) => {
      const { fields, skipped } = await values({ title: 'From', password }, target);
      expect(fields?.[0]).toContain('{REF:');
      expect(skipped.length).toBe(password.includes(':X@') ? 0 : 1);
    },
  );

  test('eight deep, not nine', async () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, at) => ({
        title: `E${at}`,
        password: at === length - 1 ? 'end' : `{REF:P@T:E${at + 1}}`,
      }));
    const of = async (length: number) => {
      const [first, ...others] = chain(length);
      return (await values(first ?? {}, ...others)).fields;
    };
    expect(await of(9)).toEqual(['end']);
    expect((await of(10))?.[0]).toContain('{REF:');
  });

  test('that multiply end', async () => {
    const bomb = Array.from({ length: 9 }, (_, at) => ({ title: `E${at}`, notes: `{REF:N@T:E${at + 1}}`.repeat(50) }));
    const started = Date.now();
    const { skipped } = await read(...bomb, { title: 'E9', notes: 'x'.repeat(1000) });
    expect(skipped).toMatchObject([{ kind: 'reference' }]);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});
