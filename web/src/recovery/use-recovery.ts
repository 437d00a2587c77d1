/** The form of the recovery: its machine, how far the upload is, what was wrong. */
import { useEffect, useRef, useState } from 'react';
import { http } from '../lib/http.ts';
import { NO_PROBLEMS, recover, type RecoveryForm } from './recover.ts';
import { type RecoveryEvent, type RecoveryState, afterEvent, canStart } from './recovery-states.ts';

const EMPTY: RecoveryForm = { file: null, password: '', setupToken: '' };

/** Whoever closes the tab ends the upload: the browser asks first. */
function useKeptOpen(isWanted: boolean) {
  useEffect(() => {
    if (!isWanted) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWanted]);
}

export function useRecovery() {
  const machine = useRef<RecoveryState>('await');
  const [state, setState] = useState<RecoveryState>('await');
  const [form, setForm] = useState(EMPTY);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  /** Percent; null once everything is sent. */
  const [sent, setSent] = useState<number | null>(0);
  const pass = (event: RecoveryEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };
  useKeptOpen(state === 'in_process');

  async function submit(): Promise<void> {
    if (!canStart(machine.current)) return;
    pass(form.file === null ? 'refused' : 'start');
    setProblems(NO_PROBLEMS);
    setSent(0);
    const onSent = (done: number, total: number) => setSent(done >= total ? null : Math.floor((done / total) * 100));
    const found = await recover(http, form, onSent);
    setProblems(found ?? NO_PROBLEMS);
    pass(found === null ? 'restored' : 'failed');
  }

  return {
    state,
    form,
    problems,
    sent,
    set: (change: Partial<RecoveryForm>) => setForm((now) => ({ ...now, ...change })),
    /** Said about the choice of a file, before anything is sent. */
    refuseFile: (text: string) => setProblems({ ...NO_PROBLEMS, file: text }),
    submit,
  };
}
