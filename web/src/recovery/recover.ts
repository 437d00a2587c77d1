/** Error texts: docs/spec/product.md §8. */
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

/** Null where there is none. */
export interface RecoveryProblems {
  readonly file: string | null;
  readonly password: string | null;
  readonly other: readonly string[];
}

export const NO_PROBLEMS: RecoveryProblems = { file: null, password: null, other: [] };

/** From this size on, asks first whether the server would accept the file. */
const LARGE_BYTES = 1024 * 1024;
/** No byte is sent while a large backup is restored. */
const SILENCE_MS = 60 * 60_000;
const ASK_AGAIN_MS = { first: 2000, more: 500, most: 15_000 } as const;
/** Consecutive failed requests until the server counts as unreachable. */
const AWAY_AT_MOST = 30;

/** Null when everything is restored. @param onSent bytes sent and in total */
export async function recover(
  http: Pick<Http, 'call'>,
  { file, password, setupToken }: RecoveryForm,
  onSent: (sent: number, total: number) => void,
  pause: (milliseconds: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<RecoveryProblems | null> {
  if (file === null) return { ...NO_PROBLEMS, file: TEXTS.fileMissing };
  if (file.size > LIMITS.recoveryBytes) return { ...NO_PROBLEMS, file: TEXTS.fileTooLarge };
  // Before the file, so that the server can check them early.
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

/** @throws AppError the server's refusal, except for the missing file */
async function askWithout(http: Pick<Http, 'call'>, texts: Readonly<Record<string, string>>): Promise<void> {
  try {
    await http.call(call, { form: formOf(texts) });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.errors?.['backupFile'] === undefined) throw failure;
  }
}

/**
 * The restore may have succeeded or may still run: broken connection, proxy timeout (502, 504), or an error
 * of the
 * server in its answer.
 */
function isUnclear(failure: unknown): boolean {
  if (failure instanceof AppError) return failure.code === 'unavailable' || failure.code === 'internal';
  return failure instanceof NetworkError || failure instanceof AnswerError;
}

/** Polls while the server restores, at most SILENCE_MS. */
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

/** The server itself is restoring: errors of a proxy have no request id. */
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

export type RecoveryState = 'await' | 'in_process' | 'done' | 'error';

export type RecoveryEvent =
  /** With a file. */
  | 'start'
  /** Nothing is sent. */
  | 'refused'
  | 'restored'
  | 'failed';

type Exits = Partial<Record<RecoveryEvent, RecoveryState>>;

const CAN_START: Exits = { start: 'in_process', refused: 'error' };

/** docs/spec/product.md §4 */
const RECOVERY_STATES: Readonly<Record<RecoveryState, Exits>> = {
  await: CAN_START,
  in_process: { restored: 'done', failed: 'error' },
  done: {},
  error: CAN_START,
};

/** An event that the state does not list changes nothing. */
export function afterEvent(state: RecoveryState, event: RecoveryEvent): RecoveryState {
  return RECOVERY_STATES[state][event] ?? state;
}

export const canStart = (state: RecoveryState): boolean => RECOVERY_STATES[state].start !== undefined;
