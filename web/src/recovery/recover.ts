/** Sends a backup to an empty server and returns errors with the texts of docs/spec/product.md §8. */
import { recover as call } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { me } from '@passwordbroker/core/contract/account/session';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Http } from '@passwordbroker/client/transport/http';
import { RECOVERY_TEXTS as TEXTS } from '../texts/identity/signed-out.ts';
import { AnswerError } from '@passwordbroker/client/transport/answers';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

export interface RecoveryForm {
  readonly file: File | null;
  /** Empty for none. */
  readonly password: string;
  readonly setupToken: string;
}

/** Errors by input; null where there is none. */
export interface RecoveryProblems {
  readonly file: string | null;
  readonly password: string | null;
  readonly other: readonly string[];
}

export const NO_PROBLEMS: RecoveryProblems = { file: null, password: null, other: [] };

/** From this file size on, asks first whether the server would accept it. */
const LARGE_BYTES = 1024 * 1024;
/** Timeout without data: restoring a large backup takes long, and no byte is sent meanwhile. */
const SILENCE_MS = 60 * 60_000;
const ASK_AGAIN_MS = { first: 2000, more: 500, most: 15_000 } as const;
/** Consecutive failed requests after which the server counts as unreachable. */
const AWAY_AT_MOST = 30;

/**
 * Returns null when everything is restored.
 * @param onSent receives bytes sent and in total
 */
export async function recover(
  http: Pick<Http, 'call'>,
  { file, password, setupToken }: RecoveryForm,
  onSent: (sent: number, total: number) => void,
  pause: (milliseconds: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<RecoveryProblems | null> {
  if (file === null) return { ...NO_PROBLEMS, file: TEXTS.fileMissing };
  if (file.size > LIMITS.recoveryBytes) return { ...NO_PROBLEMS, file: TEXTS.fileTooLarge };
  // The texts come before the file, so that the server can check them early.
  const texts = { ...(setupToken === '' ? {} : { setup_token: setupToken }), ...(password === '' ? {} : { password }) };
  try {
    // A browser sends the whole file before it reads an early error.
    if (file.size > LARGE_BYTES) await askWithout(http, texts);
    await http.call(call, { form: formOf({ ...texts, backupFile: file }), onSent, silenceMs: SILENCE_MS });
    return null;
  } catch (failure) {
    if (isUnclear(failure) && (await isRecovered(http, pause))) return null;
    return problemsOf(failure);
  }
}

function formOf(members: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.append(name, value);
  return form;
}

/**
 * Sends the form without a file.
 * @throws AppError the server's refusal, except for the missing file
 */
async function askWithout(http: Pick<Http, 'call'>, texts: Readonly<Record<string, string>>): Promise<void> {
  try {
    await http.call(call, { form: formOf(texts) });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.errors?.['backupFile'] === undefined) throw failure;
  }
}

/**
 * The restore may have succeeded or may still run: after a broken connection, a proxy timeout (502, 504), or
 * an
 * error of the server in its answer.
 */
function isUnclear(failure: unknown): boolean {
  if (failure instanceof AppError) return failure.code === 'unavailable' || failure.code === 'internal';
  return failure instanceof NetworkError || failure instanceof AnswerError;
}

/** Polls while the server is restoring, at most as long as the timeout of the request itself. */
async function isRecovered(http: Pick<Http, 'call'>, pause: (milliseconds: number) => Promise<unknown>) {
  let away = 0;
  let again: number = ASK_AGAIN_MS.first;
  for (let waited = 0; waited < SILENCE_MS; waited += again) {
    try {
      return (await http.call(me)).message !== 'firstUser';
    } catch (failure) {
      if (isBusy(failure)) again = Math.min(again + ASK_AGAIN_MS.more, ASK_AGAIN_MS.most);
      else away = isAway(failure) ? away + 1 : AWAY_AT_MOST;
      if (away >= AWAY_AT_MOST) return false;
    }
    await pause(again);
  }
  return false;
}

/** The server itself is restoring. Errors of a proxy have no request id. */
const isBusy = (failure: unknown) =>
  failure instanceof AppError && failure.code === 'unavailable' && failure.requestId !== undefined;
const isAway = (failure: unknown) =>
  failure instanceof NetworkError || (failure instanceof AppError && failure.code === 'unavailable');

function problemsOf(failure: unknown): RecoveryProblems {
  if (!(failure instanceof AppError)) return { ...NO_PROBLEMS, other: [TEXTS.failed] };
  if (failure.code === 'payload_too_large') return { ...NO_PROBLEMS, file: TEXTS.fileTooLarge };
  const { backupFile = [], password = [], ...others } = failure.errors ?? {};
  const problems = {
    file: backupFile[0] ?? null,
    password: password[0] ?? null,
    other: Object.values(others).flat(),
  };
  const isNamed = problems.file !== null || problems.password !== null || problems.other.length > 0;
  return isNamed ? problems : { ...NO_PROBLEMS, other: [failure.message] };
}
