/** This browser's id (docs/spec/product.md §3), for tokens and its local copy. */
import type { PlainStore } from '../platform.ts';

const CLIENT_ID = 'passwordbroker.client';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws Error with the text of docs/spec/product.md §8 */
export function clientId(store: () => PlainStore): string {
  try {
    const known = store().getItem(CLIENT_ID);
    if (known !== null && ID.test(known)) return known;
    const made = crypto.randomUUID();
    store().setItem(CLIENT_ID, made);
    return made;
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new Error(`unable to get ClientId from storage: ${reason}`, { cause: failure });
  }
}
