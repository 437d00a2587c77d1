/**
 * The worker reads the file, the person checks names and counts, the worker seals. The server stores the import in
 * several transactions; it becomes visible in the last one (ADR 16).
 */
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { MasterPasswordCancelled, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import type {
  DetectedFile,
  Imported,
  ImportProgress,
  ImportChoice,
  VaultWrite,
} from '@passwordbroker/client/vault/vault';
import type { Found } from './where-to.tsx';
import { type Attempt, type Opening, type Rehearsal, useReading } from './use-reading.ts';
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
  /** Entries that look like existing ones; null until they were looked for. */
  readonly duplicates: Found | null;
  /** With the groups of `ImportChoice.into`; null: a new tree. */
  readonly compare: (groups: readonly (string | null)[] | null) => Promise<void>;
  /** Opens the present values of all duplicates of the same place, which is recorded. */
  readonly compareValues: (groups: readonly (string | null)[]) => Promise<void>;
  readonly choose: (file: File) => void;
  /** Another kind than the one that was recognised. */
  readonly chooseKind: (id: string) => void;
  readonly read: (opening: Opening) => Promise<void>;
  readonly store: (target: ImportChoice) => Promise<void>;
  /** To the form, with the file. */
  readonly back: () => void;
  readonly cancel: () => void;
}

export function useImport({ write, masterPassword, onImported, onUnsure }: Options): ImportRun {
  const { imports } = write;
  const [state, send] = useReducer(afterImportEvent, 'choosing');
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [duplicates, setDuplicates] = useState<Found | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const present = useRef<Attempt | null>(null);
  const begin = useCallback((): Attempt => {
    const attempt: Attempt = { stop: new AbortController(), progress: null, isUnwanted: false };
    present.current = attempt;
    setProblem(null);
    setProgress(null);
    return attempt;
  }, []);
  const reading = useReading({ imports, masterPassword, send, begin, setProblem, setProgress });
  const { file, held, release, drop } = reading;

  const compare = useCallback(
    async (groups: readonly (string | null)[] | null) => {
      const handle = held();
      if (handle === null) return;
      present.current?.stop.abort();
      // A problem of the last attempt stays in sight.
      const attempt: Attempt = { stop: new AbortController(), progress: null, isUnwanted: false };
      present.current = attempt;
      setDuplicates(null);
      if (groups === null) {
        send('compared');
        return;
      }
      send('compare');
      try {
        const found = await imports.compare(handle, groups, attempt.stop.signal);
        setDuplicates({ ...found, differing: null });
        send('compared');
      } catch (failure) {
        if (attempt.stop.signal.aborted) return;
        if (failure instanceof KeyringError && failure.detail === 'gone') drop();
        setProblem(problemLines(failure));
        send('refused');
      }
    },
    [imports, held, drop],
  );

  const compareValues = useCallback(
    async (groups: readonly (string | null)[]) => {
      const handle = held();
      if (handle === null || file === null || duplicates === null) return;
      const attempt = begin();
      const { signal } = attempt.stop;
      send('compare');
      try {
        const open = () =>
          imports.compareValues(handle, groups, [...duplicates.same], { signal, onProgress: setProgress });
        const differing = await masterPassword.use(open, { label: TEXTS.pendingAction(file.name), signal });
        setDuplicates({ ...duplicates, differing });
        send('compared');
      } catch (failure) {
        if (signal.aborted) return;
        if (failure instanceof MasterPasswordCancelled) {
          send('compared');
          return;
        }
        if (failure instanceof KeyringError && failure.detail === 'gone') drop();
        setProblem(problemLines(failure));
        send('refused');
      }
    },
    [imports, masterPassword, begin, held, drop, file, duplicates],
  );

  const store = useCallback(
    async (target: ImportChoice) => {
      const handle = held();
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
        release();
        setImported(answer);
        send('stored');
        onImported(answer);
      } catch (failure) {
        if (attempt.stop.signal.aborted) return;
        if (failure instanceof KeyringError && failure.detail === 'gone') drop();
        if (failure instanceof MasterPasswordCancelled && !attempt.isUnwanted) {
          send('cancelled');
        } else if (attempt.isUnwanted || (failure instanceof NetworkError && isLateToStop(attempt.progress))) {
          const isInto = target.into !== undefined;
          setProblem(failure instanceof NotTakenBack ? keptProblem(failure, isInto) : lostProblem(failure, isInto));
          send('lost');
          onUnsure();
        } else {
          setProblem(problemLines(failure));
          send('refused');
        }
      }
    },
    [imports, write, masterPassword, begin, onImported, onUnsure, file, held, release, drop],
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

  useEffect(
    () => () => {
      present.current?.stop.abort();
      release();
    },
    [release],
  );
  return {
    state,
    progress,
    problem,
    ...reading,
    imported,
    duplicates,
    compare,
    compareValues,
    store,
    cancel,
  };
}
