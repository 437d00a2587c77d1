/** Steps of making a kit: `master password` → `shown` → `asked` → `storing` → done. Closed earlier, nothing has changed. */
import { useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import {
  foldRecoveryText,
  type WrittenRecoveryKey,
} from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import { isWrongMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { makeKit, storeKit, type NewKit } from '@passwordbroker/client/recovery-kit/make-kit';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { http } from '../page/page.ts';
import { keyring } from '../page/vault.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';

export type KitStep = 'master password' | 'shown' | 'asked';

/** Numbers of the two groups, from 1. */
export type AskedGroups = readonly [first: number, second: number];

export interface TypedBack {
  readonly first: string;
  readonly second: string;
  readonly check: string;
}

export function useKit(onDone: () => void) {
  const masterPassword = useMasterPassword();
  const [step, setStep] = useState<KitStep>('master password');
  const [kit, setKit] = useState<NewKit | null>(null);
  const [asked, setAsked] = useState<AskedGroups>([1, 2]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);

  async function make(typed: string): Promise<void> {
    if (isBusy) return;
    if (typed === '') return setProblems([MASTER_PASSWORD_TEXTS.missing]);
    setProblems([]);
    setBusy(true);
    try {
      setKit(await makeKit({ http, keyring, masterPassword }, typed));
      setAsked(someGroups());
      setStep('shown');
    } catch (failure) {
      setProblems([isWrongMasterPassword(failure) ? MASTER_PASSWORD_TEXTS.invalid : reasonOf(failure)]);
    }
    setBusy(false);
  }

  async function confirm(typed: TypedBack): Promise<void> {
    if (isBusy || kit === null) return;
    const wrong = wrongParts(kit.written, asked, typed);
    setProblems(wrong);
    if (wrong.length > 0) return;
    setBusy(true);
    try {
      // A lock closes the dialog, so the vault is open.
      await storeKit({ http }, kit);
      onDone();
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'slot_conflict') {
        setKit(null);
        setStep('master password');
        setProblems([TEXTS.madeElsewhere]);
      } else setProblems([reasonOf(failure)]);
    }
    setBusy(false);
  }

  const go = (next: KitStep) => {
    setProblems([]);
    setStep(next);
  };
  return { step, kit, asked, problems, isBusy, make, confirm, go };
}

export type Kit = ReturnType<typeof useKit>;

const GROUPS = 8;

/** Two different ones at random, in order. */
function someGroups(): AskedGroups {
  const [one = 0, other = 0] = crypto.getRandomValues(new Uint32Array(2));
  const first = one % GROUPS;
  const second = (first + 1 + (other % (GROUPS - 1))) % GROUPS;
  return first < second ? [first + 1, second + 1] : [second + 1, first + 1];
}

/** What was typed back wrong, in words. */
function wrongParts(written: WrittenRecoveryKey, asked: AskedGroups, typed: TypedBack): readonly string[] {
  const isGroup = (at: number, text: string) => foldRecoveryText(text) === written.groups[at - 1];
  return [
    ...(isGroup(asked[0], typed.first) ? [] : [TEXTS.wrongGroup(asked[0])]),
    ...(isGroup(asked[1], typed.second) ? [] : [TEXTS.wrongGroup(asked[1])]),
    ...(foldRecoveryText(typed.check) === written.check ? [] : [TEXTS.wrongCheck]),
  ];
}
