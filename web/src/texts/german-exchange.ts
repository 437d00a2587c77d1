/** The German texts of imports and exports. They share nothing with `german.ts`, which has a chunk of its own. */
import { translateMore } from '@passwordbroker/core/texts';
import { IMPORT } from './de/exchange.ts';
import { exchangeSentences } from './de/messages/exchange-messages.ts';

export const GERMAN_EXCHANGE: Readonly<Record<string, object>> = {
  import: IMPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(GERMAN_EXCHANGE, exchangeSentences);
