/** Where the link of an invitation leads: what a server answers is text, and a link that is none, or leads elsewhere, is said to be (attack M27). */
import { openableLink } from '@passwordbroker/core/domain/fields/link';

export type LinkAddress =
  | { readonly leads: 'here' }
  /** `host` as a browser reads it, in plain letters. */
  | { readonly leads: 'elsewhere'; readonly host: string }
  | { readonly leads: 'nowhere' };

/** @param server origin of the server that was asked for the invitation */
export function addressOf(link: string, server: string): LinkAddress {
  const address = openableLink(link);
  if (address === null || address.host === '') return { leads: 'nowhere' };
  return address.origin === server ? { leads: 'here' } : { leads: 'elsewhere', host: address.host };
}
