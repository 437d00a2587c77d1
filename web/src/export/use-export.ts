/**
 * The server fixes what an export has; the person confirms it; the worker opens the values and writes the file; the
 * person saves it (docs/spec/api.md §3.10).
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import { translated } from '@passwordbroker/core/texts';
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { MasterPasswordCancelled, type MasterPassword } from '@passwordbroker/client/master-password/master-password';
import type { ExportRequest, ExportWork, ExportWrites, WrittenExport } from '@passwordbroker/client/vault/vault';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';

type ExportState =
  /** The form is shown. */
  | { readonly at: 'choosing' }
  /** Includes the confirmation of the sign-in. */
  | { readonly at: 'preparing' }
  /** The person sees the numbers; nothing has been released. */
  | { readonly at: 'confirming'; readonly started: Export }
  | { readonly at: 'opening' | 'writing'; readonly work: ExportWork | null }
  | { readonly at: 'cancelling' }
  | { readonly at: 'done'; readonly written: WrittenExport };

interface Options {
  readonly load: () => Promise<ExportWrites>;
  readonly masterPassword: Pick<MasterPassword, 'use'>;
  /** Asks for the account password when the server wants it; null: the person closed that dialog. */
  readonly confirmed: <T extends object>(call: () => Promise<T>) => Promise<T | null>;
}

export interface ExportRun {
  readonly state: ExportState;
  readonly problem: string | null;
  /** The person's other open export. */
  readonly other: string | null;
  /** Values that had been opened before the last export was cancelled; null: none was. */
  readonly cancelled: number | null;
  readonly prepare: (request: ExportRequest) => Promise<void>;
  readonly endOther: () => Promise<void>;
  readonly run: (how: { readonly name: string; readonly password: string }) => Promise<void>;
  /** To the form; ends what was prepared. */
  readonly back: () => void;
  readonly cancel: () => Promise<void>;
}

const CHOOSING: ExportState = { at: 'choosing' };

export function useExport({ load, masterPassword, confirmed }: Options): ExportRun {
  const [state, setState] = useState<ExportState>(CHOOSING);
  const [problem, setProblem] = useState<string | null>(null);
  const [other, setOther] = useState<string | null>(null);
  const [cancelled, setCancelled] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  const open = useRef<string | null>(null);

  const begin = () => {
    stop.current = new AbortController();
    setProblem(null);
    setOther(null);
    setCancelled(null);
    return stop.current.signal;
  };

  /** Ends the export on the server. Returns how many values it had released; null if that is unknown. */
  const end = useCallback(async (): Promise<number | null> => {
    const id = open.current;
    open.current = null;
    if (id === null) return 0;
    return (await load()).cancel(id).then(
      ({ released }) => released,
      // It expires by itself.
      () => null,
    );
  }, [load]);

  const fail = (failure: unknown) => {
    setState(CHOOSING);
    if (failure instanceof MasterPasswordCancelled) return;
    const id = failure instanceof AppError && failure.code === 'conflict' ? failure.details?.['export_id'] : undefined;
    if (typeof id === 'string') setOther(id);
    else setProblem(translated(reasonOf(failure)));
  };

  const prepare = async (request: ExportRequest) => {
    const signal = begin();
    setState({ at: 'preparing' });
    try {
      const options = { label: TEXTS.pendingAction, signal };
      // The proof needs the open vault.
      const start = () => masterPassword.use(async () => (await load()).start(request, signal), options);
      const started = await confirmed(start);
      if (started !== null) open.current = started.export_id;
      if (signal.aborted) await end();
      else setState(started === null ? CHOOSING : { at: 'confirming', started });
    } catch (failure) {
      if (!signal.aborted) fail(failure);
    }
  };

  const endOther = async () => {
    if (other === null) return;
    setOther(null);
    await masterPassword
      .use(async () => (await load()).cancel(other), { label: TEXTS.pendingAction })
      .catch((failure: unknown) => fail(failure));
  };

  const run = async (how: { readonly name: string; readonly password: string }) => {
    if (state.at !== 'confirming') return;
    const { started } = state;
    const signal = begin();
    setState({ at: 'opening', work: null });
    const onProgress = (work: ExportWork) => {
      if (!signal.aborted) setState({ at: work.phase, work });
    };
    try {
      const write = async () => (await load()).write(started, how, { signal, onProgress });
      const written = await masterPassword.use(write, { label: TEXTS.pendingAction, signal });
      open.current = null;
      setState({ at: 'done', written });
    } catch (failure) {
      if (signal.aborted) return;
      setCancelled(await end());
      fail(failure);
    }
  };

  const back = () => {
    begin();
    setState(CHOOSING);
    void end();
  };

  const cancel = async () => {
    stop.current.abort();
    setState({ at: 'cancelling' });
    setCancelled(await end());
    setState(CHOOSING);
  };

  useEffect(
    () => () => {
      stop.current.abort();
      void end();
    },
    [end],
  );
  return { state, problem, other, cancelled, prepare, endOther, run, back, cancel };
}
