import type { InputOf, OutputOf } from '../calls.ts';
import type { DeriveForFile } from '../imports/import-services.ts';
import type { OpenSession } from '../open-session.ts';
import type { Served, Services } from '../remote.ts';
import type { ExportCalls } from './export-calls.ts';

export type ExportServices = Pick<Services, keyof ExportCalls>;

/** The code loads with the first export. */
export function exportServices(session: () => OpenSession, deriveForFile: DeriveForFile): ExportServices {
  let loading: Promise<ExportServices> | null = null;

  const later =
    <Name extends keyof ExportCalls>(name: Name) =>
    async (input: InputOf<Name>, served: Served<Name>): Promise<OutputOf<Name>> => {
      loading ??= import('./exporting.ts').then(({ exporting }) => exporting(session, deriveForFile));
      // The next call retries.
      loading.catch(() => (loading = null));
      const service = (await loading)[name] as (input: InputOf<Name>, served: Served<Name>) => Promise<OutputOf<Name>>;
      return service(input, served);
    };

  return {
    beginExport: later('beginExport'),
    openForExport: later('openForExport'),
    writeExport: later('writeExport'),
    dropExport: later('dropExport'),
  };
}
