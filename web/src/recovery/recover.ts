/** Sends a backup to an empty server and tells what came of it in the words of the specification (docs/spec/product.md §8). */
import { recover as call } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { me } from '@passwordbroker/core/contract/account/session';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { AnswerError, type Http, NetworkError } from '../lib/http.ts';
import { RECOVERY_TEXTS as TEXTS } from '../texts/recovery.ts';

export interface RecoveryForm {
  readonly file: File | null;
  /** Empty: none. */
  readonly password: string;
  readonly setupToken: string;
}

/** What is wrong, at the control that it is about; null where nothing is. */
export interface RecoveryProblems {
  readonly file: string | null;
  readonly password: string | null;
  readonly other: readonly string[];
}

export const NO_PROBLEMS: RecoveryProblems = { file: null, password: null, other: [] };

/** Of a file, from which it is worth asking first. */
const LARGE_BYTES = 1024 * 1024;
/** A large backup is restored for a long time, in which no byte flows. */
const SILENCE_MS = 60 * 60_000;
const ASK_AGAIN_MS = { first: 2000, more: 500, most: 15_000 } as const;
/** A server that does not answer so often is away. */
const AWAY_AT_MOST = 30;

/**
 * @param onSent bytes of the upload so far, and of how many
 * @returns null when everything is restored
 */
export async function recover(
  http: Pick<Http, 'call'>,
  { file, password, setupToken }: RecoveryForm,
  onSent: (sent: number, total: number) => void,
  pause: (milliseconds: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<RecoveryProblems | null> {
  if (file === null) return { ...NO_PROBLEMS, file: TEXTS.fileMissing };
  if (file.size > LIMITS.recoveryBytes) return { ...NO_PROBLEMS, file: TEXTS.fileTooLarge };
  // The texts first: the server knows them before the file has arrived.
  const texts = { ...(setupToken === '' ? {} : { setup_token: setupToken }), ...(password === '' ? {} : { password }) };
  try {
    // A browser sends all of a file before it hears that nobody wanted it.
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

/** Whether the server would take a file at all. @throws AppError what it has against that, but the lack of a file */
async function askWithout(http: Pick<Http, 'call'>, texts: Readonly<Record<string, string>>): Promise<void> {
  try {
    await http.call(call, { form: formOf(texts) });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.errors?.['backupFile'] === undefined) throw failure;
  }
}

/**
 * A connection that breaks says nothing about the restore, which may have gone through or still be under way: so does a proxy that does not wait as long
 * as it takes (502, 504), and a server that fell over its own answer.
 */
function isUnclear(failure: unknown): boolean {
  if (failure instanceof AppError) return failure.code === 'unavailable' || failure.code === 'internal';
  return failure instanceof NetworkError || failure instanceof AnswerError;
}

/** Asks as long as the server says that it is at it, up to as long as the call itself would have waited. */
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

/** While it restores, the server itself says so, under the number of the request; what is in front of it speaks without one. */
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
