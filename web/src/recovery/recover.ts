/** Sends a backup to an empty server and tells what came of it in the words of the specification (§8). */
import { recover as call } from '@passwordbroker/core/contract/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { me } from '@passwordbroker/core/contract/session';
import { type Http, NetworkError } from '../lib/http.ts';
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

/** A large backup is restored for a long time, in which no byte flows. */
const SILENCE_MS = 60 * 60_000;
const ASK_AGAIN_MS = 2000;
/** A server that is away longer is away. */
const ASKED_AT_MOST = 30;

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
  const form = new FormData();
  // The texts first: the server knows them before the file has arrived.
  if (setupToken !== '') form.append('setup_token', setupToken);
  if (password !== '') form.append('password', password);
  form.append('backupFile', file);
  try {
    await http.call(call, { form, onSent, silenceMs: SILENCE_MS });
    return null;
  } catch (failure) {
    // A connection that breaks says nothing about the restore, which may have gone through.
    if (failure instanceof NetworkError && (await isRecovered(http, pause))) return null;
    return problemsOf(failure);
  }
}

async function isRecovered(http: Pick<Http, 'call'>, pause: (milliseconds: number) => Promise<unknown>) {
  for (let asked = 0; asked < ASKED_AT_MOST; asked += 1) {
    try {
      return (await http.call(me)).message !== 'firstUser';
    } catch (failure) {
      // While it restores, the server says that it is busy.
      if (!(failure instanceof AppError) || failure.code !== 'unavailable') return false;
    }
    await pause(ASK_AGAIN_MS);
  }
  return false;
}

function problemsOf(failure: unknown): RecoveryProblems {
  if (!(failure instanceof AppError)) return { ...NO_PROBLEMS, other: [TEXTS.failed] };
  const { backupFile = [], password = [], ...others } = failure.errors ?? {};
  const problems = {
    file: backupFile[0] ?? null,
    password: password[0] ?? null,
    other: Object.values(others).flat(),
  };
  const isNamed = problems.file !== null || problems.password !== null || problems.other.length > 0;
  return isNamed ? problems : { ...NO_PROBLEMS, other: [failure.message] };
}
