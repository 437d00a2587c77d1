/** How a program names itself with each request, and the versions of the contract (docs/spec/api.md §1.4). */
import type { Face } from './faces.ts';

/** As in package.json. */
export const VERSION = '1.0.0';

/** Grows with each addition that programs look for. */
export const CONTRACT_VERSION = 2;

/** Programs below it get 409 `client_too_old`. */
export const OLDEST_CONTRACT = 1;

export const CLIENT_HEADER = 'X-PB-Client';

export const clientText = (face: Face): string => `${face}/${VERSION};contract=${CONTRACT_VERSION}`;
