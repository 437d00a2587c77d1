/**
 * The worker reads and seals the file, the server stores it in one transaction (docs/spec/decisions.md H7).
 */
import { translated } from '@passwordbroker/core/texts';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { MasterPasswordCancelled, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';
import type { Imported, ImportProgress, VaultWrite } from '@passwordbroker/client/vault/vault';
import { afterImportEvent, isLateToStop, type ImportState } from './import-states.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { ImportTooLarge } from '@passwordbroker/client/vault/entries/online-import';

interface Options {
  readonly write: VaultWrite;
  readonly masterPassword: Pick<MasterPassword, 'use'>;
  readonly onImported: (imported: Imported) => void;
  /** The result on the server is unknown; reload the tree. */
  readonly onUnsure: () => void;
}

interface ImportRun {
  readonly state: ImportState;
  readonly progress: ImportProgress | null;
  readonly problem: ImportProblem | null;
  readonly imported: Imported | null;
  /** @param typed the master password; undefined if one is remembered */
  readonly start: (file: File, typed: string | undefined) => Promise<void>;
  readonly cancel: () => void;
  readonly forget: () => void;
}

interface Attempt {
  readonly stop: AbortController;
  progress: ImportProgress | null;
  isUnwanted: boolean;
}

export function useImport({ write, masterPassword, onImported, onUnsure }: Options): ImportRun {
  const [state, send] = useReducer(afterImportEvent, 'choosing');
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const present = useRef<Attempt | null>(null);

  const start = useCallback(
    async (file: File, typed: string | undefined) => {
      const attempt: Attempt = { stop: new AbortController(), progress: null, isUnwanted: false };
      present.current = attempt;
      setProblem(null);
      setProgress(null);
      send('submitted');
      const onProgress = (next: ImportProgress) => {
        attempt.progress = next;
        setProgress(next);
        if (next.phase === 'sealing') send('sealing began');
        if (next.phase === 'uploading') send('upload began');
        if (next.phase === 'storing') send('sent');
      };
      const run = async () => {
        // After a prompt for the master password the import starts again.
        attempt.progress = null;
        try {
          return await write.importFile(file, { signal: attempt.stop.signal, onProgress });
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
          typed,
          signal: attempt.stop.signal,
        });
        if (attempt.isUnwanted) {
          await takeBack(write, answer);
          send('taken back');
          return;
        }
        setImported(answer);
        send('stored');
        onImported(answer);
      } catch (failure) {
        if (attempt.stop.signal.aborted) return;
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
    [write, masterPassword, onImported, onUnsure],
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

  const forget = useCallback(() => {
    setProblem(null);
    send('chosen again');
  }, []);

  useEffect(() => () => present.current?.stop.abort(), []);
  return { state, progress, problem, imported, start, cancel, forget };
}

/** @throws NotTakenBack if the import may still exist */
async function takeBack(write: VaultWrite, answer: Imported): Promise<void> {
  try {
    await write.undo(answer.operation_id);
  } catch (failure) {
    throw new NotTakenBack(answer.name, failure);
  }
}

/** docs/spec/product.md §5, §8 */
interface ImportProblem {
  readonly message: string;
  /** 'file: The file is not a KeePass XML 2.x file.' */
  readonly lines: readonly string[];
}

export function problemLines(failure: unknown): ImportProblem {
  if (failure instanceof AppError && failure.errors !== undefined) {
    const lines = Object.entries(failure.errors).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`));
    return {
      message: failure.message,
      lines: lines.length === 1 && failure.message === Object.values(failure.errors)[0]?.[0] ? [] : lines,
    };
  }
  if (failure instanceof KeyringError && failure.code === 'import_file')
    return { message: TEXTS.failed, lines: [translated(failure.message)] };
  if (failure instanceof ImportTooLarge) {
    const [size, limit] = [failure.size, failure.limit].map(formatFileSize);
    return { message: TEXTS.failed, lines: [TEXTS.sealedTooLarge(size ?? '', limit ?? '')] };
  }
  return { message: failure instanceof Error && failure.message !== '' ? failure.message : TEXTS.failed, lines: [] };
}

/** Stored although cancelled, and not undone. */
class NotTakenBack extends Error {
  override readonly name = 'NotTakenBack';
  readonly tree: string;

  constructor(tree: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.tree = tree;
  }
}

function keptProblem({ tree, message }: NotTakenBack): ImportProblem {
  return { message: TEXTS.notTakenBack(tree), lines: [message] };
}

/** The connection or session ended when the server may have received everything. */
function lostProblem(failure: unknown): ImportProblem {
  return { message: TEXTS.lost, lines: [reasonOf(failure)] };
}
