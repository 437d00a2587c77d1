/** Setting up an authenticator app: a key to scan, then a code that confirms it. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { beginTotp, confirmTotp } from '@passwordbroker/core/contract/account/factors';
import { AppError } from '@passwordbroker/core/contract/problem';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useState } from 'react';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { FACTORS_TEXTS } from '../texts/identity/factors.ts';

const TEXTS = FACTORS_TEXTS.totp;

type Confirmed = AnswerOf<typeof confirmTotp>;

export function useTotpSetup(onConfirmed: (confirmed: Confirmed) => Promise<void> | void) {
  const [begun, setBegun] = useState<AnswerOf<typeof beginTotp> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  /** Returns false if it failed, or the person closed the dialog of the fresh sign-in. */
  async function begin(): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    setProblem(null);
    try {
      const next = await freshSignIn.tryRun(() => http.call(beginTotp));
      setBegun(next);
      return next !== null;
    } catch (failure) {
      setProblem(reasonOf(failure));
      return false;
    } finally {
      setBusy(false);
    }
  }

  /** Returns whether the code was right. */
  async function confirm(code: string, revoke_tokens: boolean): Promise<boolean> {
    if (isBusy || begun === null) return false;
    setBusy(true);
    setProblem(null);
    try {
      const call = () => http.call(confirmTotp, { params: { totpId: begun.totp_id }, body: { code, revoke_tokens } });
      const confirmed = await freshSignIn.tryRun(call);
      if (confirmed !== null) {
        setBegun(null);
        await onConfirmed(confirmed);
      }
      setBusy(false);
      return confirmed !== null;
    } catch (failure) {
      const isExpired = failure instanceof AppError && failure.code === 'not_found';
      if (isExpired) setBegun(await http.call(beginTotp).catch(() => begun));
      setProblem(isExpired ? TEXTS.expired : reasonOf(failure));
      setBusy(false);
      return false;
    }
  }

  return { begun, problem, isBusy, begin, confirm, cancel: () => setBegun(null) };
}

export type TotpSetup = ReturnType<typeof useTotpSetup>;
