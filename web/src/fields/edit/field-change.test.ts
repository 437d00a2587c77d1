import { describe, expect, test } from 'vitest';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { bothVersions } from './revision-conflict-dialog.tsx';
import { draftOf, isUnchanged, readChange, type Draft } from './new-field.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
const revealed = (type: FieldType, part: Partial<Revealed> = {}): Revealed => ({
  type,
  title: 'Root',
  login: type === 'password' ? 'ada' : null,
  text: 's3cr3t',
  totp: null,
  file: null,
  disagreements: [],
  ...part,
});
const OPENED: readonly Revealed[] = [
  revealed('password'),
  revealed('link', { text: 'https://a' }),
  revealed('note', { text: 'a\r\nb' }),
  revealed('TOTP', { text: SECRET, totp: { algorithm: 'sha512', period: 45 } }),
  revealed('file', { text: '', file: { name: 'a.bin', mime: '', size: 1 } }),
];
const changeOf = (draft: Draft) => {
  const read = readChange(draft);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.change;
};

describe('a revealed value as a draft', () => {
  test.each(OPENED)('is unchanged while nothing is typed: $type', (opened) => {
    expect(isUnchanged(changeOf(draftOf(opened)), opened)).toBe(true);
  });

  test.each(OPENED)('is changed by another title: $type', (opened) => {
    expect(isUnchanged(changeOf({ ...draftOf(opened), title: 'Other' }), opened)).toBe(false);
  });

  test('a link keeps how it is offered with another address, and changes it alone', () => {
    const opened = revealed('link', { text: 'https://a.example', sites: siteRulesOf('https://a.example', 'domain') });
    expect(changeOf({ ...draftOf(opened), link: 'https://b.example' })).toMatchObject({
      sites: siteRulesOf('https://b.example', 'domain'),
    });
    const never = changeOf({ ...draftOf(opened), siteMode: 'never' });
    expect(never).toMatchObject({ value: 'https://a.example', sites: [{ mode: 'never' }] });
    expect(isUnchanged(never, opened)).toBe(false);
  });

  test('keeps blanks around a value', () => {
    const opened = revealed('password', { text: ' a\u00A0', login: ' b ' });
    expect(changeOf(draftOf(opened))).toMatchObject({ value: ' a\u00A0', login: ' b ' });
  });

  test('a file: kept, or replaced by one within the limit', () => {
    const draft = draftOf(revealed('file'));
    expect(changeOf(draft)).toEqual({ type: 'file', title: 'Root', file: null });
    const file = new File(['a'], 'b.bin');
    const replaced = changeOf({ ...draft, file });
    expect(replaced).toEqual({ type: 'file', title: 'Root', file });
    expect(isUnchanged(replaced, revealed('file'))).toBe(false);
  });

  test('a value that cannot be parsed is entered again', () => {
    const opened = revealed('TOTP', { text: 'no base32', totp: { algorithm: 'sha1', period: 30 } });
    const change = changeOf({ ...draftOf(opened), secret: SECRET });
    expect(isUnchanged(change, opened)).toBe(false);
  });
});

describe('two versions', () => {
  test('of a password, part by part; only the value is masked', () => {
    const mine = { ...draftOf(revealed('password')), login: 'eve', password: 'mine' };
    expect(bothVersions(revealed('password'), mine)).toEqual([
      { part: 'title', theirs: 'Root', mine: 'Root', differs: false, isSecret: false },
      { part: 'login', theirs: 'ada', mine: 'eve', differs: true, isSecret: false },
      { part: 'value', theirs: 's3cr3t', mine: 'mine', differs: true, isSecret: true },
    ]);
  });

  test('of a TOTP: the same secret in different notations', () => {
    const opened = revealed('TOTP', { text: SECRET, totp: { algorithm: 'sha1', period: 30 } });
    const rows = bothVersions(opened, { ...draftOf(opened), secret: 'jbsw y3dp ehpk 3pxp', period: '60' });
    expect(rows.map(({ part, differs }) => [part, differs])).toEqual([
      ['title', false],
      ['totp', true],
      ['value', false],
    ]);
    expect(rows[1]).toMatchObject({ theirs: 'SHA-1, 30 s', mine: 'SHA-1, 60 s' });
  });

  test('of a file: name and size, or that it is kept', () => {
    const opened = revealed('file', { file: { name: 'a.bin', mime: '', size: 4210 } });
    expect(bothVersions(opened, draftOf(opened))[1]).toMatchObject({
      theirs: 'a.bin, 4.21 kB',
      mine: 'the file that is stored',
      differs: false,
    });
    const mine = { ...draftOf(opened), file: new File(['a'], 'b.bin') };
    expect(bothVersions(opened, mine)[1]).toMatchObject({ mine: 'b.bin, 1 B', differs: true });
  });
});
