/** The address of a server as a person types it. */
import { urlOf } from '@passwordbroker/core/domain/url';
import { Refusal } from './refusal.ts';
import { EXTENSION_TEXTS as TEXTS } from './texts/extension.ts';

/** Its origin: https, or http on this computer. @throws Refusal */
export function serverOrigin(text: string): string {
  const url = urlOf(text.includes('://') ? text.trim() : `https://${text.trim()}`);
  if (url === null) throw new Refusal('address', TEXTS.noAddress);
  const { origin, protocol, hostname } = url;
  const isLocal = ['localhost', '127.0.0.1'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) throw new Refusal('address', TEXTS.onlyHttps);
  return origin;
}
