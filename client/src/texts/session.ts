export const FRESH_SIGN_IN_TEXTS = {
  title: 'Confirm your password first',
  subtitle: 'Your last sign-in is more than ten minutes ago. What you began goes on afterwards.',
  password: 'Password',
  hint: 'The one you log in with, not the master password.',
  missing: 'Field: Password should be filled in',
  confirm: 'Confirm',
  confirming: 'Confirming',
  cancel: 'Cancel',
} as const;

export const SESSION_TEXTS = {
  copyLeft: 'The local copy could not be removed',
} as const;
