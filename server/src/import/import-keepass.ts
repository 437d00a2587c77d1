/** Import of a KeePass file with a master password: read, sealed and stored here, through the same parser and the same checks as anywhere. */
import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { answer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { ReceivedBody, UploadedFile } from '../http/body.ts';
import type { FieldTexts } from '../http/validation.ts';
import { type OpenedCaller, isMasterPasswordGiven, withCallerKeyring } from '../server-crypto/caller-keyring.ts';
import { acceptImported } from '../server-crypto/trust/imported-groups.ts';
import type { ImportAnswer, SealKeys } from './import-job.ts';
import { jobParts, presentCertificate } from './import-sealed.ts';
import type { ImportContext } from './import-sealed.ts';
import { sealAndStore } from './import-thread.ts';
import { inTurn } from './import-turn.ts';

const PART = 'file';
const fileIn = (files: readonly UploadedFile[]) => files.find((file) => file.part === PART);

/** Texts for what the schema of the plain form cannot see. */
export function importTexts({ members, files }: Pick<ReceivedBody, 'members' | 'files'>): FieldTexts {
  const texts: FieldTexts = {};
  if (fileIn(files) === undefined) texts['file'] = [FIELD_TEXTS.fileMissing];
  if (!isMasterPasswordGiven(members['master_password'])) {
    texts['master_password'] = [FIELD_TEXTS.masterPasswordMissing];
  }
  return texts;
}

export async function importKeepass(
  context: ImportContext<PlainBodyOf<typeof importFile>>,
): Promise<Answer<ImportAnswer>> {
  const { deps, actor, origin, body, files } = context;
  const signal = context.signal();
  const file = fileIn(files);
  if (file === undefined) throw new TypeError('The file was not examined');
  const opened = promised<SealKeys>();
  const inItsTurn = () =>
    inTurn(deps.imports, async () => {
      const certificate = await presentCertificate(deps, actor);
      const parts = await jobParts(deps, actor, origin, certificate);
      return sealAndStore(deps, parts, { file: file.bytes, keys: opened.promise }, signal);
    });
  let early: ReturnType<typeof inItsTurn> | null = null;
  // The file is read beside the derivation where that keeps nobody waiting. Else the master password is judged before the queue: nobody waits behind the imports
  // of others for a typing error.
  const readBeside = () => {
    if (!deps.imports.hasRoom()) return;
    early = inItsTurn();
    // Whatever is wrong with the file is told after what is wrong with the master password.
    early.catch(() => {});
  };
  try {
    const work = async (caller: OpenedCaller) => {
      // A missing record is told before anything is stored.
      await caller.trust.record();
      const { keyring } = caller;
      opened.resolve({ identity: keyring.identity, keys: keyring.keys() });
      const stored = await (early ?? inItsTurn());
      await acceptImported(caller, stored.answer.entry_group_id).catch((error: unknown) =>
        deps.log.error({ error }, 'Imported groups are not in the trust record; they are confirmed when they are used'),
      );
      return stored;
    };
    const stored = await withCallerKeyring(context, body.master_password, work, readBeside);
    return answer(201, stored.answer);
  } finally {
    // After an error nobody needs them any more; otherwise they are there already.
    opened.reject(new AppError('bad_request'));
  }
}

/** A promise that is kept elsewhere; that it is broken is nobody's concern who has not asked for it. */
function promised<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((keep, fail) => {
    resolve = keep;
    reject = fail;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
