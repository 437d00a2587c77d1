/** The public suffix list with its private part, as `tldts` keeps it. The web client loads it with the dialog of a link. */
import { getDomain } from 'tldts';

/** The registrable domain of a host in ASCII; null for addresses, single labels and suffixes. */
export const registrableDomain = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });
