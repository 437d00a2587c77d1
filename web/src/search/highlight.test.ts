import { describe, expect, test } from 'vitest';
import { highlight } from './marked-text.tsx';

const shown = (text: string, query: string) =>
  highlight(text, query)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

describe('highlight', () => {
  test.each([
    ['Billing ledger, primary', 'ledger', 'Billing [ledger], primary'],
    ['Ledger Live licence', 'ledger', '[Ledger] Live licence'],
    ['Größe und Ärger', 'arger', 'Größe und [Ärger]'],
    ['Ünïcode', 'unicode', '[Ünïcode]'],
    ['one two one', 'one', '[one] two [one]'],
    ['one two', 'two one', '[one] [two]'],
    ['aaa', 'aa', '[aaa]'],
    ['100% a_b', '%', '100[%] a_b'],
    ['a.b', '.', 'a[.]b'],
    ['nothing here', 'zzz', 'nothing here'],
    ['anything', '   ', 'anything'],
    ['', 'x', ''],
    ['👩‍💻 laptop', 'lap', '👩‍💻 [lap]top'],
    ['<b>bold</b>', '<b>', '[<b>]bold</b>'],
    ['old server, server old', '"old server"', '[old server], server old'],
    ['Root account', 'title:root -account', '[Root] account'],
    ['password of root', 'type:password root', 'password of [root]'],
    ['title: and more', 'login:"and more"', 'title: [and more]'],
    ['-account', '-account', '-account'],
  ])('%s ? %s', (text, query, expected) => {
    expect(shown(text, query)).toBe(expected);
  });

  test('the pieces joined are the text', () => {
    const text = 'Ölwechsel – Straße №5 ﬁn';
    expect(
      highlight(text, 'fi o')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
