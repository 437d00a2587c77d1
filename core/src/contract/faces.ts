/** Apart from `client.ts`, which the sign-in page loads. */

/** The programs that people use: the page, the command line and the browser extension. */
export const FACES = ['web', 'cli', 'extension'] as const;
export type Face = (typeof FACES)[number];

/** `api`: a program that says nothing; `service`: a service account. */
export const VIAS = [...FACES, 'api', 'service'] as const;
export type Via = (typeof VIAS)[number];
