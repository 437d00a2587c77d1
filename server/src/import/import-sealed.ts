/** Import of a batch that a client has sealed. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import { answer } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { Actor, Deps, Origin, RequestContext } from '../http/context.ts';
import { fileLimitOf } from '../fields/file-limit.ts';
import { listCertificates } from '../users/key-repository.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { storeSealed } from './import-thread.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { inTurn } from './import-turn.ts';

/** The request, under either of its two addresses. */
export interface ImportContext<Body = unknown> extends RequestContext {
  readonly actor: Actor;
  readonly body: Body;
}

export async function importSealed(context: ImportContext): Promise<Answer<ImportAnswer>> {
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

/** Throws `conflict` for an account without keys: nobody could read what it imports. */
export async function presentCertificate(deps: Deps, actor: Actor): Promise<Certificate> {
  const [certificate] = await listCertificates(deps.db, actor.userId);
  if (certificate === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  return certificate;
}

export async function jobParts(deps: Deps, actor: Actor, origin: Origin, certificate: Certificate): Promise<JobParts> {
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
