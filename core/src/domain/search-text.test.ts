/** The grammar of the search box. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, parseSearch, searchedTexts } from './search-text.ts';

const text = (value: string, scope: 'title' | 'login' | 'group' | null = null, isExcluded = false) => ({
  kind: 'text',
  text: value,
  scope,
  isExcluded,
});
const type = (value: string, isExcluded = false) => ({ kind: 'type', type: value, isExcluded });

describe('a query', () => {
  test.each([
    ['', []],
    ['   ', []],
    ['mail', [text('mail')]],
    ['Mail  SERVER', [text('mail'), text('server')]],
    ['"mail server"', [text('mail server')]],
    ['"mail server', [text('mail server')]],
    ['""', []],
    ['"', [text('"')]],
    ['title:"', [text('title:"')]],
    ['-old', [text('old', null, true)]],
    ['-"old server"', [text('old server', null, true)]],
    ['-', [text('-')]],
    ['--', [text('-', null, true)]],
    ['title:Mail', [text('mail', 'title')]],
    ['TITLE:mail', [text('mail', 'title')]],
    ['login:root@db', [text('root@db', 'login')]],
    ['group:"north office"', [text('north office', 'group')]],
    ['-group:archive', [text('archive', 'group', true)]],
    ['type:totp', [type('TOTP')]],
    ['-type:File', [type('file', true)]],
    ['type:card', [text('type:card')]],
    ['-type:card', [text('type:card', null, true)]],
    ['-http://mail.example', [text('http://mail.example', null, true)]],
    ['"-staging"', [text('-staging')]],
    ['-"-staging"', [text('-staging', null, true)]],
    ['title:"-staging"', [text('-staging', 'title')]],
    ['"title:root"', [text('title:root')]],
    ['"type:file"', [text('type:file')]],
    ['tag:PCI', [{ kind: 'tag', tag: 'pci', isExcluded: false }]],
    ['-tag:"north office"', [{ kind: 'tag', tag: 'north office', isExcluded: true }]],
    ['tag:', [text('tag:')]],
    ['due:week', [{ kind: 'due', due: 'week', isExcluded: false }]],
    ['-DUE:Late', [{ kind: 'due', due: 'late', isExcluded: true }]],
    ['due:tomorrow', [text('due:tomorrow')]],
    ['" a "', [text(' a ')]],
    ['-title:', [text('title:', null, true)]],
    ['title:', [text('title:')]],
    ['http://mail.example', [text('http://mail.example')]],
    ['a:b c', [text('a:b'), text('c')]],
    ['Ünïcode', [text('unicode')]],
    ['100%_x', [text('100%_x')]],
    ['mail"server"', [text('mail"server"')]],
    ['e-mail', [text('e-mail')]],
  ])('%s', (query, terms) => {
    expect(parseSearch(query)).toEqual(terms);
  });

  test('any text parses: no empty terms, quoted text is literal, words without operator are kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (query) => {
        for (const term of parseSearch(query)) if (term.kind === 'text') expect(term.text).not.toBe('');
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (typed) => {
        const phrase = typed.replaceAll('"', '');
        fc.pre(foldText(phrase).trim() !== '');
        expect(parseSearch(`"${phrase}"`)).toEqual([text(foldText(phrase))]);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9%_.@/]{1,8}$/), { minLength: 1, maxLength: 6 }), (words) => {
        expect(searchedTexts(parseSearch(words.join(' ')))).toEqual(words);
      }),
    );
  });
});

test('searched texts omit excluded terms and properties', () => {
  expect(searchedTexts(parseSearch('a -b type:file title:c'))).toEqual(['a', 'c']);
});
