import { type Invite, create, listAll } from '@passwordbroker/core/contract/users/invites';
import { isEmail } from '@passwordbroker/core/domain/email';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { refusedLines } from '../user-form/create-user.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const PER_PAGE = 20;
export const INVITES_KEY = ['admin', 'invites'] as const;

export function useInvites(page: number) {
  return useQuery({
    queryKey: [...INVITES_KEY, page],
    queryFn: ({ signal }) => http.call(listAll, { query: { page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

/** The server returns the link only once. */
export interface SentInvite {
  readonly link: string;
  readonly invite: Invite;
  readonly wasMailed: boolean;
}

export type Sending =
  | { readonly state: 'await' | 'in process' }
  | { readonly state: 'done'; readonly sent: SentInvite }
  | { readonly state: 'error'; readonly lines: readonly string[] };

export function useSendInvite() {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>({ state: 'await' });
  const [emailProblem, setEmailProblem] = useState<string | null>(null);

  /** Returns whether it was sent. */
  async function send(email: string, username: string | null): Promise<boolean> {
    if (sending.state === 'in process') return false;
    if (!isEmail(email.trim())) {
      setEmailProblem(TEXTS.badEmail);
      return false;
    }
    setSending({ state: 'in process' });
    const name = username?.trim() ?? '';
    try {
      const body = { user: { email: email.trim(), ...(name === '' ? {} : { username: name }) } };
      const sent = await freshSignIn.tryRun(() => http.call(create, { body }));
      if (sent === null) {
        setSending({ state: 'await' });
        return false;
      }
      const { inviteLinkUrl, invite, mail_sent } = sent;
      setSending({ state: 'done', sent: { link: inviteLinkUrl, invite, wasMailed: mail_sent } });
      await client.invalidateQueries({ queryKey: INVITES_KEY });
      return true;
    } catch (failure) {
      setSending({ state: 'error', lines: refusedLines(failure) });
      return false;
    }
  }
  return { sending, emailProblem, clearEmailProblem: () => setEmailProblem(null), send };
}
