import type { Certificate } from '@passwordbroker/core/contract/entities';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import { dropParts, putPart, startParts, storeParts } from '@passwordbroker/core/contract/entries/import-parts';
import { importFile, importFileAtRoot } from '@passwordbroker/core/contract/entries/import';
import { AppError } from '@passwordbroker/core/contract/problem';
import { fileLimitOf } from '../fields/storage.ts';
import { answer, type Answer } from '../http/answer/answer.ts';
import type { ReceivedBody, UploadedFile } from '../http/body/body.ts';
import type { Actor, Deps, Origin, RequestContext } from '../http/context.ts';
import { on, type Route } from '../http/route.ts';
import type { FieldTexts } from '../http/validation.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { type OpenedCaller, isMasterPasswordGiven, withCallerKeyring } from '../server-crypto/caller-keyring.ts';
import { acceptImported } from '../server-crypto/trust/imported-groups.ts';
import { listCertificates } from '../users/keys/key-repository.ts';
import type { ImportAnswer, JobParts, SealKeys } from './import-job.ts';
import { inTurn, sealAndStore, storeSealed } from './import-thread.ts';
import { beginImport, endImport, keepPart, requireOpenImport, storeKept } from './parts/import-parts.ts';
import type { Stored } from './store-batch.ts';

interface ImportContext<Body = unknown> extends RequestContext {
  readonly actor: Actor;
  readonly body: Body;
}

async function importSealed(context: ImportContext): Promise<Answer<ImportAnswer>> {
  const { deps, actor, origin, unread, files } = context;
  const signal = context.signal();
  if (unread === null) throw new AppError('bad_request');
  const certificate = await presentCertificate(deps, actor);
  const stored = await inTurn(deps.imports, async () =>
    storeSealed(
      deps,
      await jobParts(deps, actor, origin, certificate),
      {
        json: unread.bytes,
        isWholeBody: unread.isWholeBody,
        bodies: files.map(({ part, bytes }) => ({ part, bytes })),
      },
      signal,
    ),
  );
  return answer(stored.isRepeat ? 200 : 201, stored.answer);
}

const PART = 'file';
const fileIn = (files: readonly UploadedFile[]) => files.find((file) => file.part === PART);

/** Problems beyond the plain form's schema. */
function importTexts({ members, files }: Pick<ReceivedBody, 'members' | 'files'>): FieldTexts {
  const texts: FieldTexts = {};
  if (fileIn(files) === undefined) texts['file'] = [FIELD_TEXTS.fileMissing];
  if (!isMasterPasswordGiven(members['master_password'])) {
    texts['master_password'] = [FIELD_TEXTS.masterPasswordMissing];
  }
  return texts;
}

async function importKeepass(context: ImportContext<PlainBodyOf<typeof importFile>>): Promise<Answer<ImportAnswer>> {
  const { deps, actor, origin, body, files } = context;
  const signal = context.signal();
  const file = fileIn(files);
  if (file === undefined) throw new TypeError('The file was not examined');
  const opened = promised<SealKeys>();
  const inItsTurn = () =>
    inTurn(deps.imports, async () => {
      const certificate = await presentCertificate(deps, actor);
      const parts = await jobParts(deps, actor, origin, certificate);
      return sealAndStore(deps, parts, { file: file.bytes }, opened.promise, signal);
    });
  let early: Promise<Stored> | null = null;
  // Reads the file during the key derivation unless imports wait: then the password is checked first.
  const readBeside = () => {
    if (!deps.imports.hasRoom()) return;
    early = inItsTurn();
    // Errors of the master password are reported first.
    early.catch(() => {});
  };
  try {
    const work = async (caller: OpenedCaller) => {
      // Fails before anything is stored.
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
    // No effect after `resolve`.
    opened.reject(new AppError('bad_request'));
  }
}

async function presentCertificate(deps: Deps, actor: Actor): Promise<Certificate> {
  const [certificate] = await listCertificates(deps.db, actor.userId);
  if (certificate === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  return certificate;
}

async function jobParts(deps: Deps, actor: Actor, origin: Origin, certificate: Certificate): Promise<JobParts> {
  return {
    databasePath: deps.db.path,
    dataDir: deps.config.dataDir,
    operationId: deps.newId(),
    user: { userId: actor.userId, name: actor.name, email: actor.email },
    noticesFrom: deps.noticesFrom,
    certificate,
    origin,
    now: deps.clock.now(),
    fileLimit: await fileLimitOf(deps),
  };
}

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

const storesParts = async (context: RequestContext & { readonly actor: Actor }, importId: string) => {
  const { deps, actor, origin } = context;
  const signal = context.signal();
  const certificate = await presentCertificate(deps, actor);
  const stored = await storeKept(context, importId, (source) =>
    inTurn(deps.imports, async () =>
      storeSealed(deps, await jobParts(deps, actor, origin, certificate), source, signal),
    ),
  );
  return answer(stored.isRepeat ? 200 : 201, stored.answer);
};

const permitPart = async ({ deps, actor }: RequestContext, { importId = '' }: Readonly<Record<string, string>>) => {
  if (actor !== null) await requireOpenImport({ deps, actor }, importId);
};

const forms = { sealed: importSealed, plain: importKeepass } as const;
// The worker parses the large JSON.
const options = { leavesJsonUnread: true, plainTexts: importTexts } as const;

export const routes: readonly Route[] = [
  on(importFile, forms, options),
  on(importFileAtRoot, forms, options),
  on(startParts, async (context) => answer(201, await beginImport(context, context.body))),
  on(putPart, (context) => keepPart(context, context.params, context.files), { permit: permitPart }),
  on(storeParts, (context) => storesParts(context, context.params.importId)),
  on(dropParts, (context) => endImport(context, context.params.importId)),
];
