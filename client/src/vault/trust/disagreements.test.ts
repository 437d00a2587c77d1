import { describe, expect, test } from 'vitest';
import type { OpenedContent } from '../../keyring/calls.ts';
import { disagreementsOf, type Listed } from './disagreements.ts';
import { freeName } from '../entries/online-import.ts';

const sealed: OpenedContent = { title: 'Root', login: null, text: 'x', totp: null, file: null };
const password: OpenedContent = { ...sealed, login: 'ada' };
const totp: OpenedContent = { ...sealed, totp: { algorithm: 'sha1', period: 30 } };
const file: OpenedContent = { ...sealed, file: { name: 'a.txt', mime: 'text/plain', size: 3 } };

describe('the listed columns compared with the sealed content (M5)', () => {
  test.each<[string, Listed, OpenedContent, readonly string[]]>([
    ['same title', { title: 'Root' }, sealed, []],
    ['spaces trimmed by the server', { title: 'Root' }, { ...sealed, title: ' Root ' }, []],
    ['other title', { title: 'Guest' }, sealed, ['title']],
    ['same login', { title: 'Root', login: 'ada' }, password, []],
    ['other login', { title: 'Root', login: 'eve' }, password, ['login']],
    ['login not listed', { title: 'Root', login: null }, password, []],
    ['same parameters', { title: 'Root', totp_hash_algorithm: 'sha1', totp_timeout: 30 }, totp, []],
    ['other period', { title: 'Root', totp_hash_algorithm: 'sha1', totp_timeout: 31 }, totp, ['totp']],
    ['other algorithm', { title: 'Root', totp_hash_algorithm: 'sha512', totp_timeout: 30 }, totp, ['totp']],
    ['same file', { title: 'Root', file_name: 'a.txt', file_mime: 'text/plain', file_size: 3 }, file, []],
    ['other name', { title: 'Root', file_name: 'b.txt', file_mime: 'text/plain', file_size: 3 }, file, ['file']],
    [
      'other size and title',
      { title: 'X', file_name: 'a.txt', file_mime: 'text/plain', file_size: 4 },
      file,
      ['title', 'file'],
    ],
  ])('%s', (_, listed, opened, found) => {
    expect(disagreementsOf(listed, opened)).toEqual(found);
  });
});

describe('the name of an imported tree (docs/spec/decisions.md H7)', () => {
  test.each([
    [[], 'keepass'],
    [['other'], 'keepass'],
    [['keepass'], 'keepass (2)'],
    [['keepass', 'keepass (2)', 'keepass (4)'], 'keepass (3)'],
  ])('%j: %s', (taken, name) => {
    expect(freeName('keepass', taken)).toBe(name);
  });
});
