/** Why a new password could not be checked, and what to do. */
export const PASSWORD_RULE_TEXTS = {
  rulesUnknown:
    'The server could not be asked for its rules on passwords. Nothing was sent. Check the connection and try again.',
  rulesRefused: (reason: string) =>
    `The server did not say its rules on passwords (${reason.replace(/\.$/, '')}). Nothing was sent. Try again; if it stays so, ask whoever runs this server.`,
  tooShort: (least: number) => `A password of this site has at least ${least} characters.`,
  strengthUnknown:
    'This site refuses passwords that are easy to guess, and this browser could not find out whether yours are. Nothing was sent. Try again; if it stays so, reload the page.',
} as const;

/** Texts that ask for a new password if the site no longer allows the present one. */
export const WEAK_PASSWORD_TEXTS = {
  password: 'Your account password is weaker than this site allows.',
  masterPassword: 'Your master password is weaker than this site allows.',
  why: 'Choose a longer one that is harder to guess.',
  changePassword: 'Change password',
  changeMasterPassword: 'Change master password',
} as const;
