import { describe, expect, test } from 'vitest';
import { formsOf, masker } from './masking.ts';
import { filledIn, readEnvFile, templatesOf } from './variables.ts';

describe('CM4 masking', () => {
  const SECRETS = ['s3cret value', 's3cret', 'pä$$wörd'];
  const hidden = (text: string, chunk: number) => {
    const masking = masker(formsOf(SECRETS));
    const bytes = Buffer.from(text);
    const shown: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += chunk) shown.push(masking.add(bytes.subarray(at, at + chunk)));
    return Buffer.concat([...shown, masking.end()]).toString();
  };

  test.each([1, 2, 3, 7, 1000])('hides values, base64 and percent-encoding in chunks of %i bytes', (chunk) => {
    const base64 = Buffer.from('pä$$wörd').toString('base64');
    const text = `a s3cret value, s3cret s3cre ${base64} ${encodeURIComponent('pä$$wörd')} pä$$wörd s3`;
    expect(hidden(text, chunk)).toBe('a •••, ••• s3cre ••• ••• ••• s3');
  });

  test('leaves short values, which would hide harmless text', () => {
    expect(formsOf(['abc', ''])).toEqual([]);
  });
});

describe('files of variables', () => {
  test('knows comments, quotes and export', () => {
    const text = `# first\n\nA=plain # comment\nexport B='$x "y" #'\nC="a\\nb \\"q\\" \\\\"\nD=\r\nE=a#b\n`;
    expect([...readEnvFile('x.env', text)]).toEqual([
      ['A', 'plain'],
      ['B', '$x "y" #'],
      ['C', 'a\nb "q" \\'],
      ['D', ''],
      ['E', 'a#b'],
    ]);
  });

  test.each(['no equals', "A='open", 'A="open', 'A="x" y', '1A=x', 'A B=x'])('refuses the line %s', (line) => {
    expect(() => readEnvFile('x.env', `OK=1\n${line}\n`)).toThrow('x.env, line 2: this is not KEY=VALUE.');
  });

  test('refuses more than 1 MiB', () => {
    expect(() => readEnvFile('x.env', `A=${'x'.repeat(1024 * 1024)}`)).toThrow('larger than 1 MiB');
  });
});

describe('templates', () => {
  test('find references alone and inside', () => {
    const [alone, inside, ...others] = templatesOf([
      ['A', 'pb://g/e/f'],
      ['B', 'x${pb://g/e#login}y${pb://g/e}'],
      ['C', '$HOME ${x}'],
    ]);
    expect(others).toEqual([]);
    expect([alone?.name, inside?.name]).toEqual(['A', 'B']);
    expect(inside === undefined ? '' : filledIn(inside, ({ part }) => (part === null ? 'V' : 'L'))).toBe('xLyV');
  });

  test('name every mistake', () => {
    const mistakes = [
      ['A', 'pb://g/%'],
      ['B', 'pb://g//e'],
    ] as const;
    expect(() => templatesOf(mistakes)).toThrow(/^A: .*%25\.\nB: .*empty\.$/s);
  });

  test('refuse 501 references, and a NUL in a value', () => {
    const many = Array.from({ length: 501 }, (_, at) => [`V${at}`, `pb://g/e${at}`] as const);
    expect(() => templatesOf(many)).toThrow('more than 500');
    const [template] = templatesOf([['A', 'pb://g/e']]);
    if (template === undefined) throw new Error('There is a template');
    expect(() => filledIn(template, () => 'a\0b')).toThrow('NUL');
  });
});
