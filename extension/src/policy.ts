/** What an administrator of computers prescribes, by a policy of the browser. */
import { api } from './browser-api.ts';

export interface Prescribed {
  /** Empty: none. */
  readonly server: string;
  /** People cannot choose another server. */
  readonly isFixed: boolean;
  /** Whether sign-ins may be offered for saving. */
  readonly mayOffer: boolean;
}

export async function prescribed(): Promise<Prescribed> {
  const { server_url, server_url_locked, save_prompts } = await api.storage.managed
    .get(['server_url', 'server_url_locked', 'save_prompts'])
    // Firefox has no such storage without a policy.
    .catch((): Readonly<Record<string, unknown>> => ({}));
  const server = typeof server_url === 'string' ? server_url : '';
  return { server, isFixed: server !== '' && server_url_locked === true, mayOffer: save_prompts !== false };
}
