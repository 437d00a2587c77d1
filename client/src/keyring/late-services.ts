import type { CallName, InputOf, OutputOf } from './calls.ts';
import type { DeriveForFile } from './imports/import-services.ts';
import type { OpenSession } from './open-session.ts';
import type { Served, Services } from './remote.ts';

/** Services of site rules and exports. Their code loads with the first call. */
export const lateServices = (session: () => OpenSession, deriveForFile: DeriveForFile) => ({
  ...late(['openSites', 'sealSite', 'prepareSite'], async () => {
    const { siteOpening } = await import('./sites/site-opening.ts');
    return siteOpening(session);
  }),
  ...late(['beginExport', 'openForExport', 'writeExport', 'dropExport'], async () => {
    const { exporting } = await import('./exports/exporting.ts');
    return exporting(session, deriveForFile);
  }),
});

/** The services of these names, loaded together and once. After a failure the next call loads again. */
function late<Name extends CallName>(
  names: readonly Name[],
  load: () => Promise<Pick<Services, Name>>,
): Pick<Services, Name> {
  let loading: Promise<Pick<Services, Name>> | null = null;
  const call = async (name: Name, input: InputOf<Name>, served: Served<Name>): Promise<OutputOf<Name>> => {
    loading ??= load();
    loading.catch(() => (loading = null));
    const services = await loading;
    return services[name](input, served);
  };
  return Object.fromEntries(
    names.map((name) => [name, (input: InputOf<Name>, served: Served<Name>) => call(name, input, served)]),
  ) as unknown as Pick<Services, Name>;
}
