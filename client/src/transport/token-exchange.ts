import { exchange, type Incoming, type Outgoing } from './exchange.ts';

/**
 * For programs without cookies: without a token they send one that is none, so that the server counts no cookie that a
 * browser adds (docs/spec/api.md §1.4). @throws as `exchange`
 */
export const exchangeByToken = (outgoing: Outgoing): Promise<Incoming> =>
  exchange({ ...outgoing, credentials: 'omit', headers: { Authorization: 'Bearer none', ...outgoing.headers } });
