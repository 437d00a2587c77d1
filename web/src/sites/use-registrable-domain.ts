import { useEffect, useState } from 'react';

type DomainOf = (host: string) => string | null;

/**
 * The registrable domain of a host; null if it has none. Loads the public suffix list at the first host.
 * @returns undefined without a host, until the list is loaded, and if it does not load
 */
export function useRegistrableDomain(host: string | null): string | null | undefined {
  const [domainOf, setDomainOf] = useState<DomainOf | null>(null);
  const isWanted = host !== null;
  useEffect(() => {
    if (!isWanted) return;
    import('@passwordbroker/core/domain/sites/registrable-domain').then(
      ({ registrableDomain }) => setDomainOf(() => registrableDomain),
      // The title stays without the name of the domain.
      () => undefined,
    );
  }, [isWanted]);
  return host === null ? undefined : domainOf?.(host);
}
