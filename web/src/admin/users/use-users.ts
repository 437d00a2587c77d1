import type { User, UserBrief } from '@passwordbroker/core/contract/users/user';
import {
  get,
  type PEOPLE_FILTERS,
  search,
  SoleGroup,
  remove as removeCall,
} from '@passwordbroker/core/contract/users/people';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { http } from '../../page/page.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useState } from 'react';
import * as z from 'zod/mini';
import { activityLog } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { ADMIN_USERS_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { freshSignIn } from '../../page/vault.ts';

const PER_PAGE = 20;
export const USERS_KEY = ['admin', 'users'] as const;

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;

export type PeopleFilter = (typeof PEOPLE_FILTERS)[number];

export function useUsers(q: string, page: number, only: PeopleFilter | undefined) {
  return useQuery({
    queryKey: [...USERS_KEY, 'page', q, page, only],
    queryFn: async ({ signal }) => {
      const found = await http.call(search, { query: { q, page, perPage: PER_PAGE, only }, signal });
      return { ...found, data: found.data.filter(isWhole) };
    },
    placeholderData: keepPreviousData,
    ...ALWAYS,
  });
}

export function useUser(userId: string) {
  return useQuery({
    queryKey: [...USERS_KEY, 'one', userId],
    queryFn: ({ signal }) => http.call(get, { params: { id: userId }, signal }),
    ...ALWAYS,
  });
}

/** People who are no longer site admins get names only. */
export const isWhole = (found: User | UserBrief): found is User => 'email' in found;

interface SoleAdmin {
  readonly user: User;
  readonly groups: readonly SoleGroup[];
}

/** Groups named in the server's refusal; null for any other error. */
export function soleGroupsOf(failure: unknown): readonly SoleGroup[] | null {
  if (!(failure instanceof AppError) || failure.code !== 'conflict') return null;
  const read = z.safeParse(z.object({ groups: z.array(SoleGroup) }), failure.details);
  return read.success ? read.data.groups : null;
}

export function useRemoveUser(onRemoved: () => Promise<unknown>) {
  const [removing, setRemoving] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [soleAdmin, setSoleAdmin] = useState<SoleAdmin | null>(null);

  /** Returns false if the person cancelled the password dialog. */
  async function send(user: User, groups: readonly SoleGroup[]): Promise<boolean> {
    const confirm_groups = groups.map(({ entry_group_id }) => entry_group_id);
    const call = async () => {
      await http.call(removeCall, { params: { id: user.user_id }, body: { confirm_groups } });
      return {};
    };
    if ((await freshSignIn.tryRun(call)) === null) return false;
    activityLog.add(TEXTS.removed);
    await onRemoved();
    alert(TEXTS.removed);
    return true;
  }

  async function remove(user: User): Promise<void> {
    if (removing !== null || !confirm(TEXTS.removeQuestion(user.name))) return;
    setRemoving(user.user_id);
    setProblem(null);
    try {
      await send(user, []);
    } catch (failure) {
      const groups = soleGroupsOf(failure);
      if (groups === null) {
        alert(TEXTS.removeFailed);
        setProblem(reasonOf(failure));
      } else setSoleAdmin({ user, groups });
    }
    setRemoving(null);
  }

  /** If the groups have changed meanwhile, asks again with the new ones. */
  async function removeAnyway(): Promise<void> {
    if (soleAdmin === null) return;
    try {
      if (await send(soleAdmin.user, soleAdmin.groups)) setSoleAdmin(null);
    } catch (failure) {
      const groups = soleGroupsOf(failure);
      if (groups === null) throw failure;
      setSoleAdmin({ user: soleAdmin.user, groups });
    }
  }

  return { removing, problem, soleAdmin, giveUp: () => setSoleAdmin(null), remove, removeAnyway };
}
