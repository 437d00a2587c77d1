/**
 * The worker reads the file and keeps what it holds; the person looks at names and counts; the worker seals, and the
 * server stores all of it in one transaction (docs/spec/decisions.md H7).
 */
import type { ColumnChoice } from '@passwordbroker/core/domain/exchange/csv/meanings';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { translated } from '@passwordbroker/core/texts';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { MasterPasswordCancelled, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import type {
  DetectedFile,
  Imported,
  ImportProgress,
  ImportChoice,
  ReadFile,
  VaultWrite,
} from '@passwordbroker/client/vault/vault';
import { afterImportEvent, isLateToStop, type ImportState } from './import-states.ts';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import {
  type ImportProblem,
  keptProblem,
  lostProblem,
  NotTakenBack,
  problemLines,
  takeBack,
} from './import-problem.ts';

interface Options {
  readonly write: Pick<VaultWrite, 'imports' | 'undo'>;
  readonly masterPassword: Pick<MasterPassword, 'use'>;
  readonly onImported: (imported: Imported) => void;
  /** The result on the server is unknown; reload the tree. */
  readonly onUnsure: () => void;
}

/** What opens the file, and the vault. */
interface Opening {
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

export interface ImportRun {
  readonly state: ImportState;
  readonly progress: ImportProgress | null;
  readonly problem: ImportProblem | null;
  readonly file: File | null;
  /** Null while it is not known. */
  readonly found: DetectedFile | null;
  /** Null if nothing was read, or it is gone. */
  readonly rehearsal: Rehearsal | null;
  /** Why the file did not open. */
  readonly passwordProblem: string | null;
  readonly imported: Imported | null;
  /** Entries that look like existing ones; null until they were compared. */
  readonly same: ReadonlySet<number> | null;
  /** With the groups of `ImportChoice.into`; null: a new tree. */
  readonly compare: (groups: readonly (string | null)[] | null) => Promise<void>;
  readonly choose: (file: File) => void;
  /** Another kind than the one that was recognised. */
  readonly chooseKind: (id: string) => void;
  readonly read: (opening: Opening) => Promise<void>;
  readonly store: (target: ImportChoice) => Promise<void>;
  /** To the form, with the file. */
  readonly back: () => void;
  readonly cancel: () => void;
}

interface Attempt {
  readonly stop: AbortController;
  progress: ImportProgress | null;
  isUnwanted: boolean;
}

export function useImport({ write, masterPassword, onImported, onUnsure }: Options): ImportRun {
  const { imports } = write;
  const [state, send] = useReducer(afterImportEvent, 'choosing');
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [passwordProblem, setPasswordProblem] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [found, setFound] = useState<DetectedFile | null>(null);
  const [rehearsal, setRehearsal] = useState<Rehearsal | null>(null);
  const [same, setSame] = useState<ReadonlySet<number> | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const present = useRef<Attempt | null>(null);
  const detection = useRef<Promise<DetectedFile | null>>(Promise.resolve(null));
  const kept = useRef<number | null>(null);

  const drop = useCallback(() => {
    if (kept.current !== null) imports.drop(kept.current);
    kept.current = null;
    setRehearsal(null);
  }, [imports]);

  const begin = (): Attempt => {
    const attempt: Attempt = { stop: new AbortController(), progress: null, isUnwanted: false };
    present.current = attempt;
    setProblem(null);
    setPasswordProblem(null);
    setProgress(null);
    return attempt;
  };

  const choose = useCallback(
    (chosen: File) => {
      begin();
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
    [imports, drop],
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
      const attempt = begin();
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
      const onProgress = (next: ImportProgress) => setProgress(next);
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
        if (signal.aborted) return;
        if (failure instanceof MasterPasswordCancelled) send('cancelled');
        else if (isWrongPassword(failure)) {
          setPasswordProblem(translated(failure.message));
          send('asks password');
        } else {
          setProblem(problemLines(failure));
          send('refused');
        }
      }
    },
    [imports, masterPassword, file, choose, drop],
  );

  const compare = useCallback(
    async (groups: readonly (string | null)[] | null) => {
      const handle = kept.current;
      if (handle === null) return;
      present.current?.stop.abort();
      // A problem of the last attempt stays in sight.
      const attempt: Attempt = { stop: new AbortController(), progress: null, isUnwanted: false };
      present.current = attempt;
      setSame(null);
      if (groups === null) {
        send('compared');
        return;
      }
      send('compare');
      try {
        const found = await imports.compare(handle, groups, attempt.stop.signal);
        setSame(found);
        send('compared');
      } catch (failure) {
        if (attempt.stop.signal.aborted) return;
        if (failure instanceof KeyringError && failure.detail === 'gone') drop();
        setProblem(problemLines(failure));
        send('refused');
      }
    },
    [imports, drop],
  );

  const store = useCallback(
    async (target: ImportChoice) => {
      const handle = kept.current;
      if (handle === null || file === null) return;
      const attempt = begin();
      send('confirmed');
      const onProgress = (next: ImportProgress) => {
        attempt.progress = next;
        setProgress(next);
        if (next.phase === 'uploading') send('upload began');
        if (next.phase === 'storing') send('sent');
      };
      const run = async () => {
        // After a prompt for the master password the import starts again.
        attempt.progress = null;
        try {
          return await imports.store(handle, target, { signal: attempt.stop.signal, onProgress });
        } catch (failure) {
          if (attempt.isUnwanted && !(failure instanceof NetworkError)) {
            // Nothing was stored, as wanted. Aborting prevents a prompt for the master password.
            attempt.stop.abort();
            send('refused');
          }
          throw failure;
        }
      };
      try {
        const answer = await masterPassword.use(run, {
          label: TEXTS.pendingAction(file.name),
          signal: attempt.stop.signal,
        });
        if (attempt.isUnwanted) {
          await takeBack(write, answer);
          send('taken back');
          return;
        }
        imports.drop(handle);
        kept.current = null;
        setImported(answer);
        send('stored');
        onImported(answer);
      } catch (failure) {
        if (attempt.stop.signal.aborted) return;
        if (failure instanceof KeyringError && failure.detail === 'gone') drop();
        if (failure instanceof MasterPasswordCancelled && !attempt.isUnwanted) {
          send('cancelled');
        } else if (attempt.isUnwanted || (failure instanceof NetworkError && isLateToStop(attempt.progress))) {
          setProblem(failure instanceof NotTakenBack ? keptProblem(failure) : lostProblem(failure));
          send('lost');
          onUnsure();
        } else {
          setProblem(problemLines(failure));
          send('refused');
        }
      }
    },
    [imports, write, masterPassword, onImported, onUnsure, file, drop],
  );

  const cancel = useCallback(() => {
    const attempt = present.current;
    if (attempt === null) return;
    if (isLateToStop(attempt.progress)) {
      attempt.isUnwanted = true;
      send('cancelled late');
    } else {
      attempt.stop.abort();
      send('cancelled');
    }
  }, []);

  const back = useCallback(() => {
    begin();
    drop();
    send('back');
  }, [drop]);

  useEffect(
    () => () => {
      present.current?.stop.abort();
      if (kept.current !== null) imports.drop(kept.current);
    },
    [imports],
  );
  return {
    state,
    progress,
    problem,
    file,
    found,
    rehearsal,
    passwordProblem,
    imported,
    same,
    compare,
    choose,
    chooseKind,
    read,
    store,
    back,
    cancel,
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
