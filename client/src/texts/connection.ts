export const CONNECTION_TEXTS = {
  badAnswer: 'The server sent an invalid answer',
  offline: 'Not available offline',
  silent: (seconds: number) => `The server did not answer within ${seconds} seconds`,
  notCopied:
    'Nothing was copied: the browser did not let this page write to the clipboard. Allow it for this page, or show the text, select it and copy it by hand.',
} as const;

export const FRESH_SIGN_IN_TEXTS = {
  title: 'Confirm your password first',
  subtitle: 'It has been over ten minutes. Confirm it’s you and we’ll continue.',
  password: 'Password',
  hint: 'The password you log in with, not your master password.',
  missing: 'Field: Password should be filled in',
  confirm: 'Confirm',
  confirming: 'Confirming',
  cancel: 'Cancel',
} as const;

export const SESSION_TEXTS = {
  copyLeft: 'The local copy could not be removed',
} as const;
