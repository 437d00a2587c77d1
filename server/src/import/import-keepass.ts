/** Import of a KeePass file with a master password: read, sealed and stored here, through the same parser and the same checks as anywhere. */
import { FIELD_TEXTS } from '@passwordbroker/core/contract/fields';
import type { importFile } from '@passwordbroker/core/contract/import';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { answer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { ReceivedBody, UploadedFile } from '../http/body.ts';
import type { FieldTexts } from '../http/validation.ts';
import { isMasterPasswordGiven, withCallerKeyring } from '../server-crypto/caller-keyring.ts';
import type { ImportAnswer } from './import-job.ts';
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
  // The master password is judged before the queue: nobody waits behind the imports of others for a typing error.
  const stored = await withCallerKeyring(context, body.master_password, ({ keyring }) =>
    inTurn(deps.imports, async () => {
      const certificate = await presentCertificate(deps, actor);
      const parts = await jobParts(deps, actor, origin, certificate);
      const source = { file: file.bytes, identity: keyring.identity, keys: keyring.keys() };
      return sealAndStore(deps, parts, source, signal);
    }),
  );
  return answer(201, stored.answer);
}
