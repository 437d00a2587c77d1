import { useCallback, useEffect, useRef, useState } from 'react';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import type { OnePurpose, Revealed } from '@passwordbroker/client/vault/vault';
import { problemText } from '../table/problem-text.ts';
import { keptChoice } from '@passwordbroker/client/kept-choice';

/** A TOTP code stays longer: people type it elsewhere and may need the next one. */
const LIVE_MS = 5 * 60_000;

export interface Secret {
  /** The visible value; null while masked. */
  readonly shown: Revealed | null;
  /** The revealed value, visible or only copied; null once forgotten. */
  readonly opened: Revealed | null;
  readonly isOpening: boolean;
  readonly problem: string | null;
  show(): Promise<void>;
  hide(): void;
  /** The value for an action such as copy. null: cancelled, or failed with an error shown. */
  take(label: string, purpose?: OnePurpose): Promise<Revealed | null>;
}

interface State {
  readonly value: Revealed | null;
  readonly isShown: boolean;
  /** Each time it is shown restarts the timer. */
  readonly shows: number;
  readonly isOpening: boolean;
  readonly problem: string | null;
}
const MASKED: State = { value: null, isShown: false, shows: 0, isOpening: false, problem: null };

/**
 * Holds one revealed value in component state only, until the chosen time has passed, the tab is hidden, the
 * vault is locked, or the component unmounts.
 * @param reveal fetches and decrypts; called only if no value is held
 * @param rev revision of the field; another one drops the held value
 * @param isCode whether a TOTP code is shown instead of the value itself
 */
export function useSecret(
  reveal: (signal: AbortSignal, purpose?: OnePurpose) => Promise<Revealed>,
  label: string,
  rev: number | null = null,
  isCode: (opened: Revealed) => boolean = () => false,
): Secret {
  const masterPassword = useMasterPassword();
  const [state, setState] = useState(MASKED);
  const running = useRef<AbortController | null>(null);
  const { value, shows } = state;
  const isLive = state.isShown && value !== null && isCode(value);

  const forget = useCallback(() => setState(MASKED), []);
  useEffect(
    () =>
      masterPassword.subscribe(() => {
        if (!masterPassword.isRemembered()) setState((before) => (before.value === null ? before : MASKED));
      }),
    [masterPassword],
  );
  useEffect(() => {
    if (value === null) return undefined;
    const timer = setTimeout(forget, isLive ? LIVE_MS : remaskAfter.get() * 1000);
    const whenHidden = () => {
      if (document.visibilityState === 'hidden') forget();
    };
    document.addEventListener('visibilitychange', whenHidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenHidden);
    };
  }, [value, isLive, shows, forget]);
  useEffect(
    () => () => {
      running.current?.abort();
      forget();
    },
    [rev, forget],
  );

  const take = async (wanted: string, purpose?: OnePurpose): Promise<Revealed | null> => {
    if (value !== null) return value;
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState({ ...MASKED, isOpening: true });
    try {
      const opened = await masterPassword.use(() => reveal(stop.signal, purpose), { label: wanted });
      if (stop.signal.aborted) return null;
      // A value that arrives while the tab is hidden is not kept.
      const isSeen = document.visibilityState !== 'hidden';
      setState({ ...MASKED, value: isSeen ? opened : null });
      return isSeen ? opened : null;
    } catch (failure) {
      if (stop.signal.aborted) return null;
      setState({ ...MASKED, problem: failure instanceof MasterPasswordCancelled ? null : problemText(failure) });
      return null;
    }
  };

  return {
    shown: state.isShown ? value : null,
    opened: value,
    isOpening: state.isOpening,
    problem: state.problem,
    async show() {
      if ((await take(label)) === null) return;
      setState((before) => ({ ...before, isShown: before.value !== null, shows: before.shows + 1 }));
    },
    hide: () => setState((before) => ({ ...before, isShown: false })),
    take,
  };
}

export const REMASK_SECONDS = [15, 30, 60, 120, 300] as const;

/** Seconds after which a shown value is masked again, as chosen in this browser. */
export const remaskAfter = keptChoice<number>(
  'passwordbroker.remask-seconds',
  30,
  (text) => {
    const seconds = Number(text);
    return REMASK_SECONDS.some((choice) => choice === seconds) ? seconds : null;
  },
  () => localStorage,
);
