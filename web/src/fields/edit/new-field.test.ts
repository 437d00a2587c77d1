import { describe, expect, test } from 'vitest';
import { AppError, missingMasterPassword, refuse, wrongMasterPassword } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { ADD_FIELD_STATES, afterAddFieldEvent, type AddFieldEvent, type AddFieldState } from './add-field-dialog.tsx';
import { errorsOf, FRESH_DRAFT, readDraft, type Draft } from './new-field.ts';

const draft = (part: Partial<Draft>): Draft => ({ ...FRESH_DRAFT, title: ' Root ', ...part });
const SECRET = 'JBSWY3DPEHPK3PXP';

describe('reading a draft', () => {
  test.each<[string, Partial<Draft>, object]>([
    ['password', { password: ' x ', login: ' a ' }, { type: 'password', title: 'Root', login: ' a ', value: ' x ' }],
    [
      'link',
      { type: 'link', link: 'https://a' },
      { type: 'link', title: 'Root', value: 'https://a', sites: siteRulesOf('https://a') },
    ],
    [
      'link that is offered nowhere',
      { type: 'link', link: 'https://a', siteMode: 'never' },
      { type: 'link', title: 'Root', value: 'https://a', sites: [{ mode: 'never' }] },
    ],
    [
      'link that is no web address',
      { type: 'link', link: 'a' },
      { type: 'link', title: 'Root', value: 'a', sites: [] },
    ],
    ['note', { type: 'note', note: 'a\nb' }, { type: 'note', title: 'Root', value: 'a\nb' }],
    ['no title', { type: 'note', title: '', note: 'a' }, { type: 'note', title: '', value: 'a' }],
    [
      'TOTP in lower case with spaces',
      { type: 'TOTP', secret: 'jbsw y3dp ehpk 3pxp', period: '1', algorithm: 'sha512' },
      { type: 'TOTP', title: 'Root', value: SECRET, algorithm: 'sha512', period: 1 },
    ],
    [
      'TOTP as a whole address',
      { type: 'TOTP', secret: `otpauth://totp/a:b?secret=${SECRET}`, period: '10000' },
      { type: 'TOTP', title: 'Root', value: SECRET, algorithm: 'sha1', period: 10_000 },
    ],
  ])('%s', (_, part, field) => {
    expect(readDraft(draft(part))).toEqual({ field });
  });

  test('a file, also an empty one', () => {
    const file = new File([], 'a.txt');
    expect(readDraft(draft({ type: 'file', file }))).toEqual({ field: { type: 'file', title: 'Root', file } });
  });

  test.each<[string, Partial<Draft>, object]>([
    ['no password', { password: '' }, { value: 'Field Value is missing' }],
    ['no link', { type: 'link' }, { value: 'Field Value is missing' }],
    ['no note', { type: 'note' }, { value: 'Field Value is missing' }],
    ['no file', { type: 'file' }, { file: 'Field File is missing' }],
    ['no secret', { type: 'TOTP', secret: '  ' }, { value: 'Field Value is missing' }],
    ['no base32', { type: 'TOTP', secret: '0189' }, { value: 'Field Value is not a valid TOTP secret' }],
    [
      'period 0',
      { type: 'TOTP', secret: SECRET, period: '0' },
      { totp_timeout: 'The totp timeout must be between 1 and 10000.' },
    ],
    [
      'period 10001',
      { type: 'TOTP', secret: SECRET, period: '10001' },
      { totp_timeout: 'The totp timeout must be between 1 and 10000.' },
    ],
    [
      'period 1.5',
      { type: 'TOTP', secret: SECRET, period: '1.5' },
      { totp_timeout: 'The totp timeout must be a whole number.' },
    ],
    [
      'no period',
      { type: 'TOTP', secret: SECRET, period: '' },
      { totp_timeout: 'The totp timeout must be a whole number.' },
    ],
    [
      'a long note',
      { type: 'note', note: 'ä'.repeat(LIMITS.valueBytes / 2 + 1) },
      { value: 'The value is too long (at most 1 MB).' },
    ],
  ])('refused: %s', (_, part, errors) => {
    expect(readDraft(draft(part))).toEqual({ errors });
  });

  test('refuses a file above the limit by its size, without reading it', () => {
    const file = { size: LIMITS.fileBytes + 1, name: 'a' } as File;
    expect(readDraft(draft({ type: 'file', file }))).toMatchObject({
      errors: { file: expect.stringContaining('too large') },
    });
  });
});

describe('assigns an error to its input (docs/spec/product.md §5)', () => {
  test.each<[string, unknown, object]>([
    ['wrong master password', wrongMasterPassword(), { master_password: 'MasterPassword is invalid' }],
    [
      'wrong in the worker',
      new KeyringError({ code: 'wrong_master_password' }),
      { master_password: 'MasterPassword is invalid' },
    ],
    ['missing', missingMasterPassword(), { master_password: 'MasterPassword is missing' }],
    ['value', refuse('value', 'Field Value is missing', 'second'), { value: 'Field Value is missing' }],
    [
      'title',
      refuse('title', 'The title is too long (at most 255 characters).'),
      { title: 'The title is too long (at most 255 characters).' },
    ],
    [
      'a member without an input',
      refuse('cek_wrapped', 'The cek wrapped is malformed.'),
      { other: 'The cek wrapped is malformed.' },
    ],
    [
      'a file above the limit of the site',
      new AppError('payload_too_large', { details: { limit: 1_048_576 } }),
      { other: 'The file is too large (at most 1.05 MB).' },
    ],
    ['state', new AppError('conflict', { message: 'no' }), { other: 'no' }],
    ['connection', new Error('Failed to fetch'), { other: 'Failed to fetch' }],
  ])('%s', (_, failure, errors) => {
    expect(errorsOf(failure)).toEqual(errors);
  });
});

describe('adding (docs/spec/product.md §4)', () => {
  test.each<[AddFieldState, AddFieldEvent, AddFieldState]>([
    ['new', 'submitted', 'in progress'],
    ['in progress', 'submitted', 'in progress'],
    ['in progress', 'added', 'new'],
    ['in progress', 'refused', 'new'],
    ['new', 'added', 'new'],
  ])('%s, %s: %s', (state, event, next) => {
    expect(afterAddFieldEvent(state, event)).toBe(next);
    expect(Object.keys(ADD_FIELD_STATES)).toContain(next);
  });
});
