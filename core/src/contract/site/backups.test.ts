import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { changeSettings } from './backups.ts';

const read = (body: unknown) => {
  const result = z.safeParse(changeSettings.body.schema, body);
  if (result.success) return result.data;
  return Object.fromEntries(result.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
};
const whole = { schedule: [3], enable: true, email_enable: false };

describe('backup settings', () => {
  it('are read from JSON and from forms alike', () => {
    expect(read({ ...whole, email: null, archive_password: null })).toEqual(whole);
    expect(read({ schedule: ['03', 15], enable: 'true', email_enable: '0', email: '' })).toEqual({
      schedule: [3, 15],
      enable: true,
      email_enable: false,
      email: '',
    });
  });

  it('have the exact texts of the specification', () => {
    expect(read({ enable: true, email_enable: false })).toEqual({ schedule: 'Picking time is required' });
    expect(read({ ...whole, schedule: [] })).toEqual({ schedule: 'Picking time is required' });
    expect(read({ ...whole, schedule: null })).toEqual({ schedule: 'Picking time is required' });
    expect(read({ ...whole, schedule: [1, 24] })).toEqual({ 'schedule.1': 'The schedule must be between 0 and 23.' });
  });

  it('require an address if mail is enabled, and reject malformed ones', () => {
    const bad = { email: 'Please enter a valid email address.' };
    expect(read({ ...whole, email_enable: true })).toEqual(bad);
    expect(read({ ...whole, email: 'ada@example.org\r\nBcc: x@example.org' })).toEqual(bad);
    expect(read({ ...whole, email_enable: 'true', email: '' })).toEqual(bad);
    expect(read({ ...whole, email_enable: true, email: ' ada@example.org ' })).toMatchObject({
      email: 'ada@example.org',
    });
  });

  it('report all errors together', () => {
    expect(read({ schedule: [], email_enable: true, email: 'x' })).toEqual({
      schedule: 'Picking time is required',
      enable: 'The enable is required.',
      email: 'Please enter a valid email address.',
    });
  });
});
