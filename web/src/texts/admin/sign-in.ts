/** Second factors in the admin panel: policy of the site, state and reset of users. */
import { catalogue } from '@passwordbroker/core/texts';
import { counted } from '../counted.ts';

export const ADMIN_SIGN_IN_TEXTS = catalogue('adminSignIn', {
  title: 'Signing in',
  secondFactor: 'Second factor',
  secondFactorHint: 'A code from a phone that is asked for in addition to the account password.',
  choices: {
    off: 'Not offered',
    optional: 'Everyone may set one up',
    admins: 'Site admins must have one',
    all: 'Everyone must have one',
  },
  without: (count: number) =>
    count === 0 ? 'Everyone has one.' : `${counted(count, 'person has', 'people have')} none yet.`,
  graceDays: 'Days to set one up',
  graceHint: 'For people who have none yet. After that they set one up when they next log in. 0: at once.',
  rememberDays: 'Days a browser is remembered',
  rememberHint: 'People may choose not to be asked again in a browser for this long. 0: always ask.',

  marks: { none: 'No second factor', reset: 'Waiting for a new second factor' },
  verb: 'Reset second factors',
  reset: {
    title: (name: string) => `Reset second factors of ${name}?`,
    text: (name: string) =>
      `All factors, sessions and tokens of ${name} end. You get one code, good for 72 hours: hand it over in person. With the account password it lets ${name} in to set up a new one.`,
    confirm: 'Reset second factors',
    confirming: 'Resetting',
    cancel: 'Cancel',
    shown: (name: string) => `Code for ${name}`,
    once: 'Shown once',
    until: (time: string) => `Good until ${time}. Hand it over in person.`,
    copy: 'Copy the code',
    done: 'Done',
  },
});
