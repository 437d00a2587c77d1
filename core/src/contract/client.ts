/** What a program says about itself with each request, and the versions of the contract (docs/spec/api.md §1.4). */

/** As in package.json. */
export const VERSION = '1.0.0';

/** `current` grows with each addition that programs look for. Programs below `oldest` get 409 `client_too_old`. */
export const CONTRACT_VERSIONS = { current: 2, oldest: 1 } as const;

export const CLIENT_HEADER = 'X-PB-Client';

/** The programs that people use: the page, the command line and the browser extension. */
export const FACES = ['web', 'cli', 'extension'] as const;
export type Face = (typeof FACES)[number];

/** `api`: a program that says nothing; `service`: a service account. */
export const VIAS = [...FACES, 'api', 'service'] as const;
export type Via = (typeof VIAS)[number];

export const clientText = (face: Face): string => `${face}/${VERSION};contract=${CONTRACT_VERSIONS.current}`;

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
