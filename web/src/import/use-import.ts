/**
 * Runs one import: the file is read and sealed in the worker and stored by the server in one act (decision H7). A cancel before everything
 * is sent stops it; a cancel while the server stores waits for the answer and takes the import back.
 */
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { EntryCancelled, type MasterPassword } from '../master-password/master-password.ts';
import { IMPORT_TEXTS as TEXTS } from '../texts/import.ts';
import type { Imported, ImportProgress, VaultWrite } from '../vault/vault.ts';
import { afterImportEvent, type ImportState } from './import-states.ts';
import { problemLines, type ImportProblem } from './import-problem.ts';

interface Options {
  readonly write: VaultWrite;
  readonly masterPassword: Pick<MasterPassword, 'use'>;
  readonly onImported: (imported: Imported) => void;
}

export interface ImportRun {
  readonly state: ImportState;
  readonly progress: ImportProgress | null;
  readonly problem: ImportProblem | null;
  readonly imported: Imported | null;
  readonly start: (file: File, typed: string | undefined) => Promise<void>;
  readonly cancel: () => void;
  readonly forget: () => void;
}

export function useImport({ write, masterPassword, onImported }: Options): ImportRun {
  const [state, send] = useReducer(afterImportEvent, 'choosing');
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const stop = useRef<AbortController | null>(null);
  const isSent = useRef(false);
  const isUnwanted = useRef(false);

  const watch = useCallback((next: ImportProgress) => {
    setProgress(next);
    if (next.phase === 'sealing') send('sealing began');
    if (next.phase === 'uploading') send('upload began');
    if (next.phase === 'storing') {
      isSent.current = true;
      send('sent');
    }
  }, []);

  const start = useCallback(
    async (file: File, typed: string | undefined) => {
      const controller = new AbortController();
      stop.current = controller;
      isSent.current = false;
      isUnwanted.current = false;
      setProblem(null);
      setProgress(null);
      send('submitted');
      const run = () => write.importFile(file, { signal: controller.signal, onProgress: watch });
      try {
        const answer = await masterPassword.use(run, { label: TEXTS.pendingAction(file.name), typed });
        if (isUnwanted.current) {
          await write.undo(answer.operation_id);
          send('taken back');
          return;
        }
        setImported(answer);
        send('stored');
        onImported(answer);
      } catch (failure) {
        if (controller.signal.aborted) return;
        if (failure instanceof EntryCancelled) {
          send('cancelled');
          return;
        }
        setProblem(isUnwanted.current ? null : problemLines(failure));
        send('refused');
      }
    },
    [write, masterPassword, onImported, watch],
  );

  const cancel = useCallback(() => {
    if (isSent.current) isUnwanted.current = true;
    else stop.current?.abort();
    send('cancelled');
  }, []);

  const forget = useCallback(() => {
    setProblem(null);
    send('chosen again');
  }, []);

  useEffect(() => () => stop.current?.abort(), []);
  return { state, progress, problem, imported, start, cancel, forget };
}
