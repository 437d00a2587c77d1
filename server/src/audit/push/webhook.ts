import { asRecord } from '../export-format.ts';
import { DELIVERY_WITHIN } from './push-log.ts';
import type { Receiver } from './push-log.ts';

/**
 * POSTs `{rows, head}`; any 2xx acknowledges. URL credentials become HTTP basic authentication. Redirects are
 * refused.
 */
export function webhookReceiver(target: string): Receiver {
  const url = new URL(target);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const headers = {
    'content-type': 'application/json',
    ...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  return {
    name: 'webhook',
    async deliver({ rows, head }, signal) {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ rows: rows.map(asRecord), head }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_WITHIN)]),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The receiver answered ${answer.status}`);
    },
    close() {},
  };
}
