import { type FormEvent, useId, useMemo, useState } from 'react';
import { FolderPlus, X } from 'lucide-react';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import type { TargetGroup } from '../entries/group-picker/find-targets.ts';
import { GroupPicker } from '../entries/group-picker/group-picker.tsx';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { groupsOf } from '../search/find-suggestions.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import styles from './services.module.css';

interface GroupsProps {
  readonly groups: readonly TargetGroup[];
  readonly onChange: (groups: readonly TargetGroup[]) => void;
}

/** The groups that a new service account may read. Nothing for people who administer none. */
export function GroupsField({ groups, onChange }: GroupsProps) {
  const id = useId();
  const form = useId();
  const { tree } = useGroupTree();
  const own = useMemo(() => (tree === null ? null : groupsOf(tree).filter(({ role }) => role === 'admin')), [tree]);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<TargetGroup | null>(null);
  if (own?.length === 0) return null;
  const open = (isOpen: boolean) => {
    setChosen(null);
    setChoosing(isOpen);
  };
  const take = (event: FormEvent) => {
    event.preventDefault();
    // A portal's events also reach the form around it.
    event.stopPropagation();
    if (chosen === null) return;
    onChange([...groups, chosen]);
    open(false);
  };
  return (
    <div className={styles['groups']} role="group" aria-labelledby={id} aria-describedby={`${id}-hint`}>
      <p id={id} className={styles['label']}>
        {TEXTS.groupsLabel}
      </p>
      {groups.length > 0 && (
        <ul className={styles['named']}>
          {groups.map((group) => (
            <li key={group.id}>
              {group.title}
              <IconButton
                label={TEXTS.removeGroup(group.title)}
                icon={<X size={14} />}
                onPress={() => onChange(groups.filter((one) => one !== group))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button size="sm" icon={<FolderPlus size={16} />} onPress={() => open(true)}>
        {TEXTS.addGroup}
      </Button>
      <p id={`${id}-hint`} className={styles['hint']}>
        {TEXTS.groupsHint}
      </p>
      {isChoosing && (
        <Dialog
          title={TEXTS.chooseGroup}
          size="md"
          onClose={() => open(false)}
          footer={
            <FormVerbs
              form={form}
              cancel={TEXTS.cancel}
              onCancel={() => open(false)}
              submit={TEXTS.takeGroup}
              isDisabled={chosen === null}
            />
          }
        >
          <form id={form} onSubmit={take} noValidate>
            <GroupPicker
              targets={own?.filter((group) => groups.every(({ id: taken }) => taken !== group.id)) ?? null}
              chosen={chosen}
              onChoose={setChosen}
              isLocked={false}
              roles={GROUP_TEXTS.roles}
            />
          </form>
        </Dialog>
      )}
    </div>
  );
}
