/** What the popup gets of an error: a sentence and a code. */
import { isLocked } from '@passwordbroker/client/keyring/keyring-error';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Failure } from '../calls.ts';
import { Refusal } from '../refusal.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';

export function describe(failure: unknown): Failure {
  if (failure instanceof AppError && failure.code === 'client_too_old') return { code: 'too_old', text: TEXTS.tooOld };
  if (failure instanceof AppError || failure instanceof Refusal) return { code: failure.code, text: failure.message };
  if (isLocked(failure)) return { code: 'locked', text: TEXTS.lockedMeanwhile };
  if (failure instanceof NetworkError) return { code: 'unreachable', text: TEXTS.unreachable };
  return { code: 'failed', text: failure instanceof Error ? failure.message : String(failure) };
}
