/** Adding, changing a role and removing, in one group or in many, with what came of it (docs/spec/product.md §6, docs/spec/decisions.md G4–G6). */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Role } from '@passwordbroker/core/domain/policy';
import { activityLog } from '../../activity-log/activity-log.ts';
import { EntryCancelled } from '../../master-password/master-password.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { ENTRY_GROUP_TEXTS } from '../../texts/entry-groups.ts';
import { GROUP_USER_TEXTS as TEXTS } from '../../texts/group-users.ts';
import { TRUST_TEXTS } from '../../texts/trust.ts';
import { toast } from '../../ui/toast.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { Vault, VaultWrite } from '../../vault/vault.ts';
import { overGroups, TOGETHER, type ActGroup, type Outcome, type Skip } from './over-groups.ts';
import { useUsersReload } from '../table/use-group-users.ts';

interface ActPerson {
  readonly userId: string;
  readonly name: string;
}

interface Running {
  readonly done: number;
  readonly total: number;
}

export interface MemberActs {
  /** null: nothing is under way. */
  readonly running: Running | null;
  readonly stop: () => void;
  /** These groups are about to be acted on, once the person has decided: their keys are opened meanwhile. What goes wrong with one shows when it is acted on. */
  readonly prepare: (groups: Groups) => void;
  /** @param fingerprint the one that was confirmed */
  readonly add: (person: ActPerson & { readonly fingerprint: string }, role: Role, groups: Groups) => Promise<Outcome>;
  readonly changeRole: (person: ActPerson, role: Role, groups: Groups) => Promise<Outcome>;
  readonly remove: (person: ActPerson, groups: Groups) => Promise<Outcome>;
}

/** The group on show, those below it that were asked for, or some of them again. */
type Groups = readonly ActGroup[];

/** Some hundred milliseconds of work, which may turn out to be for nothing. */
const MOST_PREPARED = 200;

/** @param shownId the group whose list of users is on show */
export function useMemberActs(shownId: string, write: VaultWrite): MemberActs {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useUsersReload();
  const [running, setRunning] = useState<Running | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // Who leaves the page stops what is under way: nobody would see what came of it.
  useEffect(() => () => stopping.current?.abort(), []);

  const over = useCallback(
    async (
      groups: Groups,
      label: string,
      act: (group: ActGroup) => Promise<Skip | null>,
      told: Told,
      atOnce?: number,
    ) => {
      const stop = new AbortController();
      stopping.current = stop;
      setRunning({ done: 0, total: groups.length });
      const outcome = await overGroups(groups, (group) => masterPassword.use(() => act(group), { label }), {
        signal: stop.signal,
        onProgress: (done) => setRunning({ done, total: groups.length }),
        isStop: (failure) => failure instanceof EntryCancelled,
        isReady: masterPassword.view().state === 'validated',
        ...(atOnce === undefined ? {} : { atOnce }),
      });
      setRunning(null);
      const { failed, left } = outcome;
      // A question that was closed at once has come to nothing, and is none.
      if (failed.length > 0 || (left.length > 0 && left.length < groups.length))
        activityLog.add(TEXTS.notEverywhere(label, failed.length, left.length), { isFailure: failed.length > 0 });
      const { length } = outcome.done;
      if (length > 0) {
        const text = told(length);
        activityLog.add(text);
        toast(text, { tone: 'success' });
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
      add: (person, role, groups) =>
        over(
          groups,
          TEXTS.addAction(person.name),
          async ({ id }) => {
            if (id === shownId) {
              await write.members.add(id, person, role);
              return null;
            }
            // Below it nobody has looked who is there: whoever is in stays as he is.
            const { user, isNew } = await write.members.addNew(id, person, role);
            if (isNew) return null;
            return user.role === role ? 'same-role' : 'other-role';
          },
          (count) => TEXTS.added(person.name, ENTRY_GROUP_TEXTS.roles[role], count),
          TOGETHER,
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
          (count) => TEXTS.changed(person.name, ENTRY_GROUP_TEXTS.roles[role], count),
          TOGETHER,
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

async function roleIn(read: Vault['read'], groupId: string, { userId }: ActPerson): Promise<Role | null> {
  const users = await read.members(groupId);
  return users.find(({ user_id }) => user_id === userId)?.role ?? null;
}
