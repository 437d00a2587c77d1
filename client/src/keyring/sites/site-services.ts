import type { OpenSession } from '../open-session.ts';
import type { InputOf, OutputOf } from '../calls.ts';
import type { Served, Services } from '../remote.ts';
import type { SiteCalls } from './site-calls.ts';

export type SiteServices = Pick<Services, keyof SiteCalls>;

/** The code loads with the first call. */
export function siteServices(session: () => OpenSession): SiteServices {
  let loading: Promise<SiteServices> | null = null;

  const later =
    <Name extends keyof SiteCalls>(name: Name) =>
    async (input: InputOf<Name>, served: Served<Name>): Promise<OutputOf<Name>> => {
      loading ??= import('./site-opening.ts').then(({ siteOpening }) => siteOpening(session));
      // The next call retries.
      loading.catch(() => (loading = null));
      const service = (await loading)[name] as (input: InputOf<Name>, served: Served<Name>) => Promise<OutputOf<Name>>;
      return service(input, served);
    };

  return { openSites: later('openSites'), sealSite: later('sealSite'), prepareSite: later('prepareSite') };
}
