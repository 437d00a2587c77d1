import { useEffect, useRef, useState } from 'react';
import { NO_PROBLEMS, recover, type RecoveryForm } from './recover.ts';
import { http } from '../page/page.ts';

const EMPTY: RecoveryForm = { file: null, password: '', setupToken: '' };

/** Asks before the tab is closed during the upload. */
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
    /** Shows an error about the chosen file, before anything is sent. */
    refuseFile: (text: string) => setProblems({ ...NO_PROBLEMS, file: text }),
    submit,
  };
}

export type RecoveryState = 'await' | 'in_process' | 'done' | 'error';

export type RecoveryEvent =
  /** With a file. */
  | 'start'
  /** A file or password is missing; nothing is sent. */
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

/** An event that the state does not list changes nothing, such as a second start. */
export function afterEvent(state: RecoveryState, event: RecoveryEvent): RecoveryState {
  return RECOVERY_STATES[state][event] ?? state;
}

export const canStart = (state: RecoveryState): boolean => RECOVERY_STATES[state].start !== undefined;
