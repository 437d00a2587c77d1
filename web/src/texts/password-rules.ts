/** Why a new password could not be judged, and what to do. */
export const PASSWORD_RULE_TEXTS = {
  rulesUnknown:
    'The server could not be asked for its rules on passwords. Nothing was sent. Check the connection and try again.',
  rulesRefused: (reason: string) =>
    `The server did not say its rules on passwords (${reason.replace(/\.$/, '')}). Nothing was sent. Try again; if it stays so, ask whoever runs this server.`,
  strengthUnknown:
    'This site refuses passwords that are easy to guess, and this browser could not find out whether yours are. Nothing was sent. Try again; if it stays so, reload the page.',
} as const;
