/** Whether a request comes from a program of this machine itself. A proxy on the machine speaks to us from the same address, for the whole world. */
import type { Config } from '../config.ts';
import type { RequestContext } from '../http/context.ts';
import { isTrustedProxy } from '../platform/networks.ts';

const LOOPBACK = /^(127\.|::1$)/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * True for a loopback peer that asked this machine by a name of its own and passed nobody's request on. Proxies that say nothing look the same, so that where
 * one stands in front (`PUBLIC_URL` is not this very port) it has to be one of `TRUST_PROXY`: those do say for whom they ask.
 */
export function isLocalCollector(
  config: Pick<Config, 'publicUrl' | 'port' | 'trustProxy'>,
  { origin, header }: Pick<RequestContext, 'origin' | 'header'>,
): boolean {
  const peer = origin.address.replace(/^::ffff:/, '');
  if (!LOOPBACK.test(peer) || !LOOPBACK_HOST.test(header('host') ?? '')) return false;
  if (FORWARDED.some((name) => header(name) !== null)) return false;
  return isReachedDirectly(config) || isTrustedProxy(config.trustProxy, peer);
}

/** Whether people come to this port and not to a proxy's. */
function isReachedDirectly({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): boolean {
  const url = new URL(publicUrl);
  return url.protocol === 'http:' && Number(url.port === '' ? 80 : url.port) === port;
}
