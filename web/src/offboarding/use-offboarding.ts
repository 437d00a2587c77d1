/** The server says each time what remains, so that the run can be stopped and resumed. */
import type { NamedGroup } from '../groups/tree/group-tree.ts';
import {
  type OffboardingGroup,
  type Offboarding,
  offboard,
  offboardingOf,
} from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { activityLog, tellDone } from '../activity-log/activity-log.ts';
import { USERS_KEY } from '../admin/users/use-users.ts';
import { type Outcome, type Skip, overGroups } from '../members/changes/over-groups.ts';
import { useMembersReload } from '../members/table/use-members.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { OFFBOARDING_TEXTS as TEXTS } from '../texts/admin/offboarding.ts';
import { useVault } from '../vault/use-vault.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { http, session } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

/** Null while the account is being changed. */
type Busy = { readonly removing: { readonly done: number; readonly total: number } | null };

const isAnything = ({ sessions, tokens, invitations }: Offboarding) => sessions + tokens + invitations > 0;
const hasRole = ({ user }: Offboarding) => user.is_admin || user.is_auditor === true;

export const isAccountLeft = (left: Offboarding, disable: boolean): boolean =>
  isAnything(left) || hasRole(left) || (disable && left.user.disabled !== true);

export function useOffboarding(userId: string) {
  const client = useQueryClient();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const { write } = useVault();
  const queryKey = [...USERS_KEY, 'offboarding', userId];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => http.call(offboardingOf, { params: { id: userId }, signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const [disable, setDisable] = useState(true);
  const [busy, setBusy] = useState<Busy | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [removed, setRemoved] = useState<readonly OffboardingGroup[]>([]);
  const stopping = useRef<AbortController | null>(null);
  // The next visit shows what remains.
  useEffect(() => () => stopping.current?.abort(), []);

  /** Returns what remains; null if the person cancelled the password prompt. */
  async function endAccess(left: Offboarding): Promise<Offboarding | null> {
    if (!isAccountLeft(left, disable)) return left;
    const call = () => http.call(offboard, { params: { id: userId }, body: { disable } });
    const said = await freshSignIn.tryRun(call);
    if (said === null) return null;
    const { ended, ...now } = said;
    client.setQueryData(queryKey, now);
    session.know(now.user);
    activityLog.add(TEXTS.ended(now.user.name, ended));
    return now;
  }

  async function removeFrom(groups: readonly OffboardingGroup[], name: string, writing: VaultWrite): Promise<void> {
    const stop = new AbortController();
    stopping.current = stop;
    const total = groups.length;
    setBusy({ removing: { done: 0, total } });
    const byId = new Map(groups.map((group) => [group.entry_group_id, group]));
    // Groups that need the master password come last, so that a closed prompt does not affect the others.
    const inTurn = groups.toSorted((a, b) => Number(a.role === 'admin') - Number(b.role === 'admin'));
    const operation = async ({ id }: NamedGroup) => {
      const group = byId.get(id);
      const why = await removeOne(writing, id, userId, async (demote) => {
        if (group?.role === 'admin') await masterPassword.use(demote, { label: TEXTS.removeAction(name) });
      });
      if (group !== undefined) setRemoved((before) => [...before, group]);
      return why;
    };
    const ended = await overGroups(inTurn.map(asNamedGroup), operation, {
      signal: stop.signal,
      onProgress: (done) => setBusy({ removing: { done, total } }),
      isStop: (failure) => failure instanceof MasterPasswordCancelled,
      isReady: masterPassword.view().state === 'validated',
    });
    setOutcome(ended);
    if (ended.done.length > 0) tellDone(TEXTS.removed(name, ended.done.length));
    void reload(groups.map(({ entry_group_id }) => entry_group_id));
  }

  /** @param only absent: all groups that remain */
  async function run(only?: readonly NamedGroup[]): Promise<void> {
    const { data: left } = query;
    if (left === undefined || write === null || busy !== null) return;
    setBusy({ removing: null });
    setProblem(null);
    setOutcome(null);
    try {
      const now = await endAccess(left);
      const ids = only?.map(({ id }) => id);
      const groups = now?.groups.filter((group) => group.is_yours && (ids?.includes(group.entry_group_id) ?? true));
      if (groups !== undefined && groups.length > 0) await removeFrom(groups, left.user.name, write);
      if (now !== null) await client.invalidateQueries({ queryKey: USERS_KEY });
    } catch (failure) {
      setProblem(reasonOf(failure));
      void query.refetch();
    }
    setBusy(null);
  }

  return {
    query,
    /** Null if nothing can be written now. */
    write,
    disable,
    setDisable,
    busy,
    problem,
    outcome,
    dismissOutcome: () => setOutcome(null),
    removed,
    run,
    stop: () => stopping.current?.abort(),
  };
}

const asNamedGroup = ({ entry_group_id: id, name: title }: OffboardingGroup): NamedGroup => ({ id, title });

/** @param withKeys runs an operation that needs the master password */
async function removeOne(
  write: VaultWrite,
  groupId: string,
  userId: string,
  withKeys: (demote: () => Promise<void>) => Promise<void>,
): Promise<Skip | null> {
  try {
    // Admins cannot be removed, so the role is changed first.
    await withKeys(async () => void (await write.members.changeRole(groupId, userId, 'member')));
    await write.members.remove(groupId, userId);
    return null;
  } catch (failure) {
    // Another admin removed the person meanwhile.
    if (failure instanceof AppError && failure.code === 'not_found') return 'not-member';
    throw failure;
  }
}
