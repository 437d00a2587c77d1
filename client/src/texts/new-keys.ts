import { catalogue } from '@passwordbroker/core/texts';

/** New keys of an account whose keys somebody else knew or reset (docs/spec/decisions.md K6, K7). */
export const NEW_KEYS_TEXTS = catalogue('newKeys', {
  title: 'Choose your own master password',
  rekey:
    'The person who created your account chose the current one. When you choose a new one, this browser makes new keys that nobody else can open.',
  first:
    'Your keys are made in this browser, and nobody else can open them. If your old ones were reset, ask the admins of your groups to add you again.',
  next: 'New master password',
  confirmation: 'New master password confirmation',
  hint: 'Nobody can restore it for you.',
  submit: 'Make my keys',
  making: 'Making your keys',
  later: 'Lock the vault',
  done: 'Your new keys are ready',
  lost: 'The connection was lost before the server confirmed it. Reload the page, then try both the old and the new master password: one of them opens your keys.',
  notStored:
    'The server said that it saved your new keys, but it sends different ones. Your old keys still work and nothing was deleted. Tell the people who run this server.',
  steps: {
    checking: 'Checking',
    grants: 'Collecting the keys of your groups',
    keys: 'Making your keys',
    storing: 'Saving them, encrypted',
    opening: 'Opening them',
  },
});
