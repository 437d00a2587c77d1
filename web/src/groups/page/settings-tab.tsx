import { type ComponentProps, useState, type ReactNode, type FormEvent } from 'react';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { TRASH_TEXTS } from '../../texts/entries/trash-and-activity.ts';
import { PreviewLine } from '../../access/preview-line.tsx';
import { OwnTemplates } from '../../entries/templates/own-templates.tsx';
import { PrepareLinks } from '../../sites/open-prepare-links.tsx';
import { TrashList } from '../../trash/trash-list.tsx';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useMembers } from '../../members/table/use-members.ts';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import type { GroupNode, GroupTree } from '../tree/group-tree.ts';
import { MoveGroupDialog } from '../move/move-group-dialog.tsx';
import styles from './settings-tab.module.css';
import { AppError } from '@passwordbroker/core/contract/problem';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { useGroupActions } from '../dialogs/use-group-actions.ts';
import type { NamedGroup } from '../tree/group-tree.ts';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { useVault } from '../../vault/use-vault.ts';

interface Props {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
}

/** For admins of a group: rename, move, delete, and its trash (docs/spec/product.md §2). */
export function SettingsTab({ group, tree, write }: Props) {
  const [dialog, setDialog] = useState<'move' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <div className={styles['tab']}>
      <SecondAdmin groupId={group.id} />
      <div className={styles['settings']}>
        <RenameGroupForm group={group} write={write} />
        <Section title={TEXTS.move} hint={TEXTS.moveHintInSettings}>
          <Button variant="secondary" onPress={() => setDialog('move')}>
            {TEXTS.moveTo}
          </Button>
        </Section>
        <OwnTemplates group={group} write={write} />
        <PrepareLinks groupId={group.id} write={write} />
        <Section title={TEXTS.remove} hint={TEXTS.removeHint}>
          <Button variant="danger-quiet" onPress={() => setDialog('remove')}>
            {TEXTS.remove}
          </Button>
        </Section>
      </div>
      <section className={styles['trash']} aria-label={TRASH_TEXTS.ofGroup}>
        <h2 className={styles['heading']}>{TRASH_TEXTS.ofGroup}</h2>
        <TrashList groupId={group.id} />
      </section>
      {dialog === 'move' && <MoveGroupDialog group={group} tree={tree} write={write} onClose={close} />}
      {dialog === 'remove' && <RemoveGroupDialog group={group} tree={tree} write={write} onClose={close} />}
    </div>
  );
}

/** For moderators, who have no settings. */
export const LinksTab = (props: ComponentProps<typeof PrepareLinks>) => (
  <div className={styles['tab']}>
    <div className={styles['settings']}>
      <PrepareLinks {...props} />
    </div>
  </div>
);

/** Advises a second admin; nothing for groups that have one. */
function SecondAdmin({ groupId }: { readonly groupId: string }) {
  const { users } = useMembers(groupId);
  if (users.filter(({ role }) => role === 'admin').length !== 1) return null;
  const isAlone = users.length === 1;
  return (
    <MessageBox tone="info" title={TEXTS.oneAdmin} lines={[isAlone ? TEXTS.oneAdminAlone : TEXTS.oneAdminAdvice]} />
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-label={title}>
      <div>
        <h2 className={styles['heading']}>{title}</h2>
        <p className={styles['hint']}>{hint}</p>
      </div>
      {children}
    </section>
  );
}

function RenameGroupForm({ group, write }: { readonly group: NamedGroup; readonly write: VaultWrite }) {
  const actions = useGroupActions(write);
  /** null while unchanged. */
  const [draft, setDraft] = useState<string | null>(null);
  const name = draft ?? group.title;
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    if (name.trim() === '') {
      setError(TEXTS.nameMissing);
      return;
    }
    setError(null);
    if (name.trim() === group.title) return;
    setSaving(true);
    try {
      await actions.rename(group, name.trim());
      setDraft(null);
    } catch (failure) {
      setError((failure instanceof AppError ? failure.errors?.['name']?.[0] : undefined) ?? reasonOf(failure));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className={styles['name']} onSubmit={(event) => void save(event)} noValidate>
      <TextField label={TEXTS.name} value={name} onChange={setDraft} maxLength={255} autoComplete="off" error={error} />
      <Button variant="primary" type="submit" busy={isSaving} busyLabel={TEXTS.saving}>
        {TEXTS.save}
      </Button>
    </form>
  );
}

interface RemoveGroupDialogProps {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Asks before a group goes to the trash, and counts its contents (docs/spec/product.md §4). */
function RemoveGroupDialog({ group, tree, write, onClose }: RemoveGroupDialogProps) {
  const vault = useVault();
  const actions = useGroupActions(write);
  const { data, error } = useQuery({
    queryKey: [vault.mode, 'removal', group.id],
    queryFn: ({ signal }) => vault.read.removal(group.id, signal),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const weight = () => {
    if (error !== null) return TEXTS.countFailed;
    if (data === undefined) return TEXTS.counting;
    const { counts, users } = data;
    return TEXTS.removeText({ groups: counts.entry_groups - 1, entries: counts.entries, users });
  };
  return (
    <ConfirmDialog
      title={TEXTS.removeDialog(group.title)}
      cancel={TEXTS.cancel}
      confirm={TEXTS.remove}
      confirming={TEXTS.removing}
      onConfirm={async () => {
        await actions.remove(group, tree);
        onClose();
      }}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <p role="status">{weight()}</p>
      <PreviewLine act={{ kind: 'delete-group', entry_group_id: group.id }} />
      <p>{TEXTS.removeLater}</p>
    </ConfirmDialog>
  );
}
