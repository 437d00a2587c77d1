/** Texts about other servers (docs/spec/decisions.md I2). */
export const SERVER_TEXTS = {
  kept: 'Signed in before',
  open: (name: string, host: string) => `${name} at ${host}`,
  opening: 'Opening',
  forget: (host: string) => `Forget ${host}`,
  failed: 'What this browser keeps of other servers could not be read',
  unreachable: 'The server does not answer',
  noConnection: (host: string) => `Cannot establish connection with ${host}`,
  whatNow: 'You stay signed in there. Check the network, then try again.',
  tryAgain: 'Try again',
  trying: 'Trying',
  otherServer: 'Log in to another server',
  sideTitle: 'Nothing is lost',
  sideText: 'What you wrote is on the server. Your keys were never there unlocked.',
} as const;
