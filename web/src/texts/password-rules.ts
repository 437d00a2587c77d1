/** Why a new password could not be judged, and what to do. */
export const PASSWORD_RULE_TEXTS = {
  rulesUnknown: (reason: string) =>
    `The server could not be asked for its rules on passwords (${reason.replace(/\.$/, '')}). Nothing was sent. Check the connection and try again.`,
  strengthUnknown:
    'This site refuses passwords that are easy to guess, and this browser could not find out whether yours are. Nothing was sent. Try again; if it stays so, reload the page.',
} as const;
