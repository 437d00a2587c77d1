/** Local copies: the code loads at first use, not with every unlock. */
import type { InputOf, OutputOf } from './calls.ts';
import type { CopyServices } from './copy/copy-services.ts';
import type { OfflineCallName } from './offline-calls.ts';
import type { OpenSession } from './open-session.ts';
import type { Served } from './remote.ts';
import type { KeyringDevice } from './services.ts';

type Device = Pick<KeyringDevice, 'openCopies' | 'load'>;

export function offlineServices(session: () => OpenSession, { openCopies, load }: Device): CopyServices {
  let loading: Promise<CopyServices> | null = null;

  async function loaded(): Promise<CopyServices> {
    loading ??= Promise.all([load('copy', () => import('./copy/copy-services.ts')), openCopies()]).then(
      ([{ copyServices }, copies]) => copyServices(session, copies),
    );
    // The next call retries.
    loading.catch(() => (loading = null));
    return loading;
  }

  const later =
    <Name extends OfflineCallName>(name: Name) =>
    async (input: InputOf<Name>, served: Served<Name>): Promise<OutputOf<Name>> => {
      const service = (await loaded())[name] as (input: InputOf<Name>, served: Served<Name>) => Promise<OutputOf<Name>>;
      return service(input, served);
    };

  return {
    prepareCopy: later('prepareCopy'),
    checkCopy: later('checkCopy'),
    takeCopy: later('takeCopy'),
    openCopy: later('openCopy'),
    closeCopy: later('closeCopy'),
    copiedFiles: later('copiedFiles'),
    copiedGroup: later('copiedGroup'),
    copiedMembers: later('copiedMembers'),
    copiedEntries: later('copiedEntries'),
    copiedFields: later('copiedFields'),
    copiedHistory: later('copiedHistory'),
    copiedSearch: later('copiedSearch'),
    openCopiedGroup: later('openCopiedGroup'),
    openCopiedField: later('openCopiedField'),
    openCopiedFile: later('openCopiedFile'),
  };
}
