/** What a program says about itself with each request, and the versions of the contract (docs/spec/api.md §1.4). */
import { FACES, type Face } from './faces.ts';

/** As in package.json. */
export const VERSION = '1.0.0';

/** Grows with each addition that programs look for. */
export const CONTRACT_VERSION = 2;

/** Programs below it get 409 `client_too_old`. */
export const OLDEST_CONTRACT = 1;

export const CLIENT_HEADER = 'X-PB-Client';

export const clientText = (face: Face): string => `${face}/${VERSION};contract=${CONTRACT_VERSION}`;

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
