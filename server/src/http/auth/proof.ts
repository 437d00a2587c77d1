import { AppError, missingMasterPassword } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { PROOF_HEADER, PROOF_TOLERANCE, verifyProof } from '@passwordbroker/core/domain/keyring/proof';
import { findSigningKey, rememberNonce } from './session-repository.ts';
import type { Actor, RequestContext } from '../context.ts';

export const hasProof = (context: Pick<RequestContext, 'header'>): boolean => context.header(PROOF_HEADER) !== null;

/**
 * Checks the proof that the caller's keyring is open.
 * @throws AppError `validation` without one, `proof_expired`, `proof_replayed`, `proof_invalid`;
 * `unauthenticated` if the session has ended
 */
export async function checkProof(context: RequestContext & { readonly actor: Actor }): Promise<void> {
  const { deps, actor, wireMethod, url } = context;
  const digest = context.bodyDigest();
  const header = context.header(PROOF_HEADER);
  if (header === null) throw missingMasterPassword();
  const key = await findSigningKey(deps.db, actor.userId);
  if (key === undefined || digest === null) throw new AppError('proof_invalid');
  const request = { sessionId: actor.sessionId, method: wireMethod, path: url, bodyDigest: new Uint8Array(digest) };
  const { ts, nonce } = await verifyProof(header, request, new Uint8Array(key)).catch((error: unknown) => {
    throw error instanceof CryptoError ? new AppError('proof_invalid') : error;
  });
  const now = deps.clock.now();
  const seconds = Math.floor(now / 1000);
  if (Math.abs(seconds - ts) > PROOF_TOLERANCE) {
    throw new AppError('proof_expired', { details: { server_time: seconds } });
  }
  const isNew = await deps.db.transactBeside((tx) =>
    rememberNonce(tx, { session_id: actor.sessionId, nonce, seen_at: now }),
  );
  if (isNew === null) throw new AppError('unauthenticated');
  if (!isNew) throw new AppError('proof_replayed');
}
