import { catalogue } from '@passwordbroker/core/texts';

export const PROGRAM_TEXTS = catalogue('program', {
  title: 'A program asks to sign in',
  what: 'It asks for access to your account:',
  account: (name: string, email: string) => `${name}, ${email}`,
  computer: (name: string) => `It gives its name as “${name}”.`,
  compare: 'The program has to show the same:',
  warning: [
    'Go on only if you have just started this sign-in yourself.',
    'If somebody sent you this address, close this window: that person would sign in as you.',
  ],
  cancel: 'Cancel',
  allow: 'Let it sign in',
  allowing: 'Letting it in',
  codeTitle: 'Type this code into the program',
  lifetime: 'It works once, within five minutes.',
  copy: 'Copy the code',
  nobody: 'Give it to nobody, not even to people who help you.',
  done: 'Done',
  damaged: 'This address is not whole. Copy all of it from the program.',
});
