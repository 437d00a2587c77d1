import { type FormEvent, useId, useRef, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { can } from '@passwordbroker/core/domain/policy';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { AddEntryDialog } from '../entries/dialogs/add-entry-dialog.tsx';
import { entryAddress } from '../entries/entry-address.ts';
import type { TargetGroup } from '../entries/group-picker/find-targets.ts';
import { GroupPicker } from '../entries/group-picker/group-picker.tsx';
import { AddGroupDialog } from '../groups/dialogs/add-group-dialog.tsx';
import { useGroupTree, useTreeAround } from '../groups/tree/use-group-tree.ts';
import { ImportDialog } from '../import/open-import.tsx';
import { ENTRY_TEXTS } from '../texts/entries/entries.ts';
import { SUGGESTION_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { useVault } from '../vault/use-vault.ts';
import { groupsOf } from './find-suggestions.ts';

export interface ActionDialogProps {
  readonly action: 'new login' | 'add tree' | 'import';
  /** What is filled in already, of a new login. */
  readonly start?: NewLoginProps['start'];
  readonly onClose: () => void;
}

/** The dialogs of quick access. */
export function ActionDialog({ action, start, onClose }: ActionDialogProps) {
  const { write } = useVault();
  const around = useTreeAround();
  if (action === 'add tree') return <AddGroupDialog parent={null} onClose={onClose} />;
  if (write === null) return null;
  if (action === 'import') return <ImportDialog write={write} tree={around} onClose={onClose} />;
  return <NewLogin write={write} start={start} onClose={onClose} />;
}

interface NewLoginProps {
  readonly write: VaultWrite;
  readonly start: { readonly title: string; readonly link: string } | undefined;
  readonly onClose: () => void;
}

/** In the group that is shown, if the person may add there; else asks for the group first. */
function NewLogin({ write, start, onClose }: NewLoginProps) {
  const navigate = useNavigate();
  const { tree } = useGroupTree();
  const shownId = useMatch('/entryGroup/:id')?.params.id;
  const [chosen, setChosen] = useState<TargetGroup | null>(null);
  const added = useRef<Entry | null>(null);
  const targets = tree === null ? null : groupsOf(tree).filter(({ role }) => can(role, 'entry.write'));
  const group = chosen ?? targets?.find(({ id }) => id === shownId) ?? (targets?.length === 1 ? targets[0] : undefined);
  if (group === undefined) return <ChooseGroup targets={targets} onChoose={setChosen} onClose={onClose} />;
  const close = () => {
    onClose();
    if (added.current !== null) void navigate(entryAddress(added.current));
  };
  return (
    <AddEntryDialog
      group={{ entry_group_id: group.id, title: group.title }}
      write={write}
      {...(start === undefined ? {} : { start })}
      onAdded={(entry) => (added.current = entry)}
      onClose={close}
    />
  );
}

interface ChooseGroupProps {
  readonly targets: readonly TargetGroup[] | null;
  readonly onChoose: (group: TargetGroup) => void;
  readonly onClose: () => void;
}

function ChooseGroup({ targets, onChoose, onClose }: ChooseGroupProps) {
  const form = useId();
  const [group, setGroup] = useState<TargetGroup | null>(null);
  return (
    <Dialog
      title={TEXTS.newLogin}
      subtitle={targets?.length === 0 ? TEXTS.noGroup : TEXTS.chooseGroup}
      size="md"
      onClose={onClose}
      footer={
        <FormVerbs
          form={form}
          cancel={ENTRY_TEXTS.cancel}
          onCancel={onClose}
          isHeld={false}
          submit={TEXTS.goOn}
          submitting={TEXTS.goOn}
          isBusy={false}
          isDisabled={group === null}
        />
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (group !== null) onChoose(group);
        }}
      >
        <GroupPicker targets={targets} chosen={group} onChoose={setGroup} isLocked={false} roles={GROUP_TEXTS.roles} />
      </form>
    </Dialog>
  );
}
