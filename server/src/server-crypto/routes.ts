/** Calls that exist in the plain form alone: whoever has keys of his own opens an envelope by himself. */
import { decrypted, historyDecrypted } from '@passwordbroker/core/contract/fields';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { revealHistory, revealValue } from './decrypted.ts';

export const routes: readonly Route[] = [
  on(decrypted, { plain: revealValue }),
  on(historyDecrypted, { plain: revealHistory }),
];
