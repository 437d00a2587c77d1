/** Chooses and reads a file; what it holds stays in the worker. */
import type { ColumnChoice } from '@passwordbroker/core/domain/exchange/csv/meanings';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { translated } from '@passwordbroker/core/texts';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { MasterPasswordCancelled, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import type { DetectedFile, ImportProgress, ImportWrites, ReadFile } from '@passwordbroker/client/vault/vault';
import { useCallback, useRef, useState } from 'react';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import { type ImportProblem, problemLines } from './import-problem.ts';
import type { ImportEvent } from './import-states.ts';

/** What opens the file, and the vault. */
export interface Opening {
  /** The master password; undefined if one is remembered. */
  readonly typed: string | undefined;
  /** Of the file. */
  readonly password: string;
  readonly keyFile: File | null;
  /** Of a table. */
  readonly columns: ColumnChoice | null;
}

export interface Rehearsal {
  readonly read: ReadFile;
  /** Proposed name of the new tree. */
  readonly name: string;
}

export interface Attempt {
  readonly stop: AbortController;
  progress: ImportProgress | null;
  isUnwanted: boolean;
}

interface Shared {
  readonly imports: ImportWrites;
  readonly masterPassword: Pick<MasterPassword, 'use'>;
  readonly send: (event: ImportEvent) => void;
  /** Ends what is said about the last attempt. */
  readonly begin: () => Attempt;
  readonly setProblem: (problem: ImportProblem | null) => void;
  readonly setProgress: (progress: ImportProgress | null) => void;
}

/** `held` answers the handle of what was read, null if there is none; `release` forgets it. */
export function useReading({ imports, masterPassword, send, begin, setProblem, setProgress }: Shared) {
  const [passwordProblem, setPasswordProblem] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [found, setFound] = useState<DetectedFile | null>(null);
  const [rehearsal, setRehearsal] = useState<Rehearsal | null>(null);
  const detection = useRef<Promise<DetectedFile | null>>(Promise.resolve(null));
  const kept = useRef<number | null>(null);

  const start = useCallback(() => {
    setPasswordProblem(null);
    return begin();
  }, [begin]);

  const held = useCallback(() => kept.current, []);
  const release = useCallback(() => {
    if (kept.current !== null) imports.drop(kept.current);
    kept.current = null;
  }, [imports]);
  const drop = useCallback(() => {
    release();
    setRehearsal(null);
  }, [release]);

  const choose = useCallback(
    (chosen: File) => {
      start();
      drop();
      setFile(chosen);
      setFound(null);
      send('chosen again');
      const detecting = imports.detect(chosen).catch((failure: unknown) => {
        if (detection.current !== detecting) return null;
        setProblem(problemLines(failure));
        send('refused');
        return null;
      });
      detection.current = detecting;
      void detecting.then((detected) => {
        if (detection.current !== detecting || detected === null) return;
        setFound(detected);
        send(ASKS[detected.needs]);
      });
    },
    [imports, send, setProblem, start, drop],
  );

  const chooseKind = useCallback((id: string) => {
    detection.current = detection.current.then((detected) => {
      const kind = detected?.kinds.find((one) => one.id === id);
      if (detected === null || kind === undefined) return detected;
      const other = { ...detected, ...kind };
      setFound(other);
      return other;
    });
  }, []);

  const read = useCallback(
    async ({ typed, password, keyFile, columns }: Opening) => {
      if (file === null) return;
      const attempt = start();
      drop();
      send('submitted');
      const { signal } = attempt.stop;
      const detected = await detection.current;
      if (signal.aborted) return;
      if (detected === null) {
        // Its reason is shown again.
        choose(file);
        return;
      }
      if (detected.needs === 'password' && password === '' && keyFile === null) {
        setPasswordProblem(TEXTS.filePasswordMissing);
        send('asks password');
        return;
      }
      if (detected.needs === 'columns' && columns === null) {
        send('asks columns');
        return;
      }
      const silence = whenSilent(() =>
        attempt.stop.abort(new KeyringError({ code: 'import_file', message: TEXTS.tookTooLong })),
      );
      const onProgress = (next: ImportProgress) => {
        silence.broken();
        setProgress(next);
      };
      const source = {
        file,
        kind: detected.id,
        ...(password === '' ? {} : { password }),
        ...(detected.needs === 'columns' && columns !== null ? { columns } : {}),
        ...(keyFile === null ? {} : { keyFile: new Uint8Array(await keyFile.arrayBuffer()) }),
      };
      try {
        const made = await masterPassword.use(() => imports.read(source, { signal, onProgress }), {
          label: TEXTS.pendingAction(file.name),
          typed,
          signal,
        });
        kept.current = made.handle;
        const name = await imports.freeName(treeNameOf(detected, file), signal);
        setRehearsal({ read: made, name });
        send('read');
      } catch (failure) {
        if (signal.aborted && !(signal.reason instanceof KeyringError)) return;
        if (failure instanceof MasterPasswordCancelled) send('cancelled');
        else if (isWrongPassword(failure)) {
          setPasswordProblem(translated(failure.message));
          send('asks password');
        } else {
          setProblem(problemLines(failure));
          send('refused');
        }
      } finally {
        silence.end();
      }
    },
    [imports, masterPassword, send, setProblem, setProgress, start, file, choose, drop],
  );

  const back = useCallback(() => {
    start();
    drop();
    send('back');
  }, [send, start, drop]);

  return { file, found, rehearsal, passwordProblem, held, release, drop, choose, chooseKind, read, back };
}

/** Waiting for the master password counts, too. */
const SILENCE_MS = 10 * 60_000;

function whenSilent(stop: () => void) {
  let timer = setTimeout(stop, SILENCE_MS);
  return {
    broken() {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

const ASKS = { nothing: 'recognised', password: 'asks password', columns: 'asks columns' } as const;

/** 'keepass' for the program of the specification, else the name of the program, or of a file of no program. */
function treeNameOf({ id, label }: DetectedFile, { name }: File): string {
  if (/^(?:keepass|kdbx)/.test(id)) return 'keepass';
  const own = id === 'csv' || id === 'otpauth' ? name.replace(/\.[^.]*$/, '') : '';
  return (own || label.replace(/ (?:\(|JSON|ZIP|1PUX|CXF|CSV).*$/, '')).slice(0, LIMITS.name);
}

const isWrongPassword = (failure: unknown): failure is KeyringError =>
  failure instanceof KeyringError && failure.code === 'import_file' && failure.detail === 'wrong_password';
