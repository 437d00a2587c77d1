/** Programs as the server knows them. Apart from `client.ts`, which the sign-in page loads. */

/** The programs that people use: the page, the command line and the browser extension. */
export const FACES = ['web', 'cli', 'extension'] as const;
export type Face = (typeof FACES)[number];

/** Of programs that do not name themselves: `service` with the credential of a service account, `api` otherwise. */
export const VIAS = [...FACES, 'api', 'service'] as const;
export type Via = (typeof VIAS)[number];

/** Nothing depends on it but what lists and histories say: a program can claim to be another. */
export interface SaidClient {
  readonly face: Face;
  readonly version: string;
  readonly contract: number;
}

const HEADER = /^(\w{1,9})\/([\w.+-]{1,40});contract=(\d{1,4})$/;

/** Null for anything but the text of `clientText`, at most 64 characters. */
export function readClient(text: string | undefined): SaidClient | null {
  const [whole = '', name, version = '', contract] = HEADER.exec(text ?? '') ?? [];
  const face = FACES.find((known) => known === name);
  return face === undefined || whole.length > 64 ? null : { face, version, contract: Number(contract) };
}

/** What a client opens values for, as it says itself. */
export const RELEASE_PURPOSES = ['show', 'copy', 'fill', 'run', 'compare', 'site'] as const;
/** `export` is said by the server. */
export const PURPOSES = [...RELEASE_PURPOSES, 'export'] as const;
export type ReleasePurpose = (typeof RELEASE_PURPOSES)[number];
export type Purpose = (typeof PURPOSES)[number];
