import type { NamedGroup } from '../../groups/tree/group-tree.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Role } from '@passwordbroker/core/domain/policy';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault, VaultWrite } from '@passwordbroker/client/vault/vault';
import { overGroups, TOGETHER, type Outcome, type Skip } from './over-groups.ts';
import { useMembersReload } from '../table/use-members.ts';

interface NamedPerson {
  readonly userId: string;
  readonly name: string;
}

export interface Running {
  readonly done: number;
  readonly total: number;
}

export interface MemberActions {
  /** null when nothing is running. */
  readonly running: Running | null;
  readonly stop: () => void;
  /** Opens the keys of these groups while the person decides. Errors show when the change is made. */
  readonly prepare: (groups: Groups) => void;
  /**
   * `fingerprint` is the confirmed one.
   * @param isQuiet success shows in the log alone
   */
  readonly add: (
    person: NamedPerson & { readonly fingerprint: string },
    role: Role,
    groups: Groups,
    isQuiet?: boolean,
  ) => Promise<Outcome>;
  readonly changeRole: (person: NamedPerson, role: Role, groups: Groups) => Promise<Outcome>;
  readonly remove: (person: NamedPerson, groups: Groups) => Promise<Outcome>;
}

/** The shown group, chosen groups below it, or the failed ones again. */
type Groups = readonly NamedGroup[];

/** Limits work that may be wasted. */
const MOST_PREPARED = 200;

/**
 * Adds and removes members and changes roles, in one group or in many (docs/spec/product.md §6,
 * docs/spec/decisions.md G4–G6).
 * @param shownId the group whose members are shown
 */
export function useMemberActions(shownId: string, write: VaultWrite): MemberActions {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useMembersReload();
  const [running, setRunning] = useState<Running | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // Leaving the page stops the run: nobody would see its result.
  useEffect(() => () => stopping.current?.abort(), []);

  const over = useCallback(
    async (
      groups: Groups,
      label: string,
      change: (group: NamedGroup) => Promise<Skip | null>,
      told: Told,
      { atOnce, isQuiet = false }: { readonly atOnce?: number; readonly isQuiet?: boolean } = {},
    ) => {
      const stop = new AbortController();
      stopping.current = stop;
      setRunning({ done: 0, total: groups.length });
      const outcome = await overGroups(groups, (group) => masterPassword.use(() => change(group), { label }), {
        signal: stop.signal,
        onProgress: (done) => setRunning({ done, total: groups.length }),
        isStop: (failure) => failure instanceof MasterPasswordCancelled,
        isReady: masterPassword.view().state === 'validated',
        ...(atOnce === undefined ? {} : { atOnce }),
      });
      setRunning(null);
      const { failed, left } = outcome;
      // Not logged if the first prompt was closed: nothing was done.
      if (failed.length > 0 || (left.length > 0 && left.length < groups.length))
        activityLog.add(TEXTS.notEverywhere(label, failed.length, left.length), { isFailure: failed.length > 0 });
      const { length } = outcome.done;
      if (length > 0) {
        const text = told(length);
        activityLog.add(text);
        if (!isQuiet) toast(text, { tone: 'success' });
      }
      void reload(groups.map(({ id }) => id));
      return outcome;
    },
    [masterPassword, reload],
  );

  return useMemo(
    () => ({
      running,
      stop: () => stopping.current?.abort(),
      prepare(groups) {
        for (const { id } of groups.slice(0, MOST_PREPARED)) write.members.prepare(id);
      },
      add: (person, role, groups, isQuiet = false) =>
        over(
          groups,
          TEXTS.addAction(person.name),
          async ({ id }) => {
            if (id === shownId) {
              await write.members.add(id, person, role);
              return null;
            }
            // In groups below, a present member keeps the present role.
            const { user, isNew } = await write.members.addNew(id, person, role);
            if (isNew) return null;
            return user.role === role ? 'same-role' : 'other-role';
          },
          (count) => TEXTS.added(person.name, GROUP_TEXTS.roles[role], count),
          { atOnce: TOGETHER, isQuiet },
        ),
      changeRole: (person, role, groups) =>
        over(
          groups,
          TEXTS.changeAction(person.name),
          async ({ id }) => {
            const present = await roleIn(read, id, person);
            if (present === null) return 'not-member';
            if (present === role) return 'same-role';
            await write.members.changeRole(id, person.userId, role);
            return null;
          },
          (count) => TEXTS.changed(person.name, GROUP_TEXTS.roles[role], count),
          { atOnce: TOGETHER },
        ),
      remove: (person, groups) =>
        over(
          groups,
          TEXTS.removeAction(person.name),
          async ({ id }) => {
            try {
              await write.members.remove(id, person.userId);
              if (masterPassword.isRemembered()) activityLog.add(TRUST_TEXTS.noMoreKeys(person.name));
              return null;
            } catch (failure) {
              const isBelow = id !== shownId;
              if (isBelow && failure instanceof AppError && failure.code === 'not_found') return 'not-member';
              if (isBelow && (await roleIn(read, id, person)) === 'admin') return 'admin';
              throw failure;
            }
          },
          (count) => TEXTS.removed(person.name, count),
        ),
    }),
    [running, over, read, write, shownId, masterPassword],
  );
}

type Told = (count: number) => string;

async function roleIn(read: Vault['read'], groupId: string, { userId }: NamedPerson): Promise<Role | null> {
  const users = await read.members(groupId);
  return users.find(({ user_id }) => user_id === userId)?.role ?? null;
}
