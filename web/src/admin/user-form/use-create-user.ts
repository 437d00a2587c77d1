/** State of the form 'Create User', with a confirmation of weak passwords (docs/spec/decisions.md K8). */
import type { SignUpForm } from '@passwordbroker/core/domain/sign-up-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { EMPTY_SIGN_UP } from '../../identity/sign-up/empty-sign-up.ts';
import type { AskPolicy } from '../../identity/passwords/judge-passwords.ts';
import { ADMIN_USERS_TEXTS } from '../../texts/admin/users.ts';
import { createUser, refusedLines, verdictOn } from './create-user.ts';
import { pairsOf } from './create-user-rules.ts';
import { USERS_KEY } from '../users/use-users.ts';
import { keyring } from '../../page/vault.ts';
import { http } from '../../page/page.ts';

type End =
  | { readonly state: 'none' | 'busy' | 'done' }
  | { readonly state: 'refused' | 'warned'; readonly lines: readonly string[] };

export function useCreateUser(ask: AskPolicy) {
  const client = useQueryClient();
  const [form, setForm] = useState(EMPTY_SIGN_UP);
  const [end, setEnd] = useState<End>({ state: 'none' });

  async function send(): Promise<void> {
    setEnd({ state: 'busy' });
    try {
      const user = await createUser(http, keyring, form);
      if (user === null) return setEnd({ state: 'none' });
      activityLog.add(`${ADMIN_USERS_TEXTS.create.created} ${user.name}`);
      setForm(EMPTY_SIGN_UP);
      setEnd({ state: 'done' });
      await client.invalidateQueries({ queryKey: USERS_KEY });
    } catch (failure) {
      setEnd({ state: 'refused', lines: refusedLines(failure) });
    }
  }

  /** Does nothing while a confirmation differs from its password. */
  async function submit(): Promise<void> {
    const pairs = pairsOf(form);
    if (end.state === 'busy' || !pairs.password || !pairs.masterPassword) return;
    setEnd({ state: 'busy' });
    const { refusals, warnings } = await verdictOn(form, ask);
    if (refusals.length > 0) setEnd({ state: 'refused', lines: refusals });
    else if (warnings.length > 0) setEnd({ state: 'warned', lines: warnings });
    else await send();
  }

  return {
    form,
    end,
    set: (change: Partial<SignUpForm>) => {
      if (end.state === 'busy') return;
      setForm({ ...form, ...change });
      setEnd({ state: 'none' });
    },
    submit,
    goOn: () => (end.state === 'warned' ? send() : Promise.resolve()),
    goBack: () => setEnd({ state: 'none' }),
  };
}
