import { describe, expect, test } from 'vitest';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { contentToSeal, openedContent } from './contents.ts';

const HALF = 'key \ud83d';
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('content to be sealed', () => {
  test.each([
    ['value', { title: 'T', text: HALF }],
    ['title', { title: HALF, text: 'v' }],
    ['login', { title: 'T', text: 'v', login: HALF }],
  ])('an unpaired surrogate is refused, never replaced: %s', (_, plain) => {
    expect(() => contentToSeal('password', plain)).toThrow('a character that cannot be saved');
  });

  test('complete characters are sealed unchanged', () => {
    expect(contentToSeal('note', { title: 'T', text: 'key 🔑' })).toEqual({
      type: 'note',
      title: 'T',
      value: utf8('key 🔑'),
    });
  });
});

describe('opened content', () => {
  test('the bytes of the value are overwritten', () => {
    const content: FieldContent = { type: 'note', title: 'T', value: utf8('s3cr3t') };
    expect(openedContent(content).text).toBe('s3cr3t');
    expect(content.value).toEqual(new Uint8Array(6));
  });

  test('the key of a file is overwritten', () => {
    const file = { name: 'a', mime: 'b', size: 1, sha256: new Uint8Array(32), key: new Uint8Array(32).fill(7) };
    expect(openedContent({ type: 'file', title: 'T', file }).file).toEqual({ name: 'a', mime: 'b', size: 1 });
    expect(file.key).toEqual(new Uint8Array(32));
  });

  test('a value that is not UTF-8 is reported as damage, and is overwritten too', () => {
    const value = new Uint8Array([0xff, 0xfe]);
    expect(() => openedContent({ type: 'note', title: 'T', value })).toThrow('payload');
    expect(value).toEqual(new Uint8Array(2));
  });
});
