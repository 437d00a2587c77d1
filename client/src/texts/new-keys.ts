/** New keys of an account whose keys somebody else knew or reset (docs/spec/decisions.md K6, K7). */
export const NEW_KEYS_TEXTS = {
  title: 'Choose your own master password',
  rekey:
    'Whoever made your account chose the present one. With a new one your keys are made anew in this browser, and nobody else can open them.',
  first: 'Your keys were reset. New ones are made in this browser. Ask the admins of your groups to add you again.',
  next: 'New master password',
  confirmation: 'New master password confirmation',
  hint: 'Nobody can restore it for you.',
  submit: 'Make my keys',
  making: 'Making your keys',
  later: 'Lock the vault',
  done: 'Your keys are your own now',
  lost: 'The connection broke before the server confirmed it. Reload the page: either the old or the new master password opens your keys.',
  notStored:
    'The server said that it has stored your new keys, but gives out other ones. The former ones are still right, and nothing was thrown away. Tell who runs this server.',
  steps: {
    checking: 'Checking',
    grants: 'Collecting the keys of your groups',
    keys: 'Making your keys',
    storing: 'Storing them, locked',
    opening: 'Opening them',
  },
} as const;
