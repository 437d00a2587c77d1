import { useId, useMemo, useState, type FormEvent } from 'react';
import { FolderInput } from 'lucide-react';
import { can } from '@passwordbroker/core/domain/policy';
import { type TargetGroup, groupMoveTargets, ROOT } from '../../entries/group-picker/find-targets.ts';
import { PreviewLine } from '../../access/preview-line.tsx';
import { GroupPicker } from '../../entries/group-picker/group-picker.tsx';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { ancestorsOf, type GroupNode, type GroupTree } from '../tree/group-tree.ts';
import { useGroupActions } from '../dialogs/use-group-actions.ts';

interface Props {
  readonly group: GroupNode;
  readonly tree: GroupTree;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Moves a group without a pointer (WCAG 2.5.7). A target without access shows why it is refused. */
export function MoveGroupDialog({ group, tree, write, onClose }: Props) {
  const form = useId();
  const actions = useGroupActions(write);
  // Computed once: a reload of the tree must not change the list while choosing.
  const [targets] = useState(() => groupMoveTargets(tree, group));
  const path = useMemo(() => ancestorsOf(tree, group.id).map(({ title }) => title), [tree, group]);
  const [target, setTarget] = useState<TargetGroup | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isMoving, setMoving] = useState(false);
  const isRefused = target !== null && !can(target.role, 'group.move');

  const choose = (next: TargetGroup | null) => {
    setProblem(null);
    setTarget(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isMoving || isRefused || target === null) return;
    setProblem(null);
    setMoving(true);
    try {
      await actions.move(group, target.id === ROOT ? null : target);
      onClose();
    } catch (failure) {
      setProblem(reasonOf(failure));
    } finally {
      setMoving(false);
    }
  };
  return (
    <Dialog
      title={TEXTS.moveDialog(group.title)}
      subtitle={path.length === 0 ? TEXTS.nowAtRoot : TEXTS.now(path.join(' / '))}
      size="md"
      onClose={onClose}
      isBusy={isMoving}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.cancel}
          onCancel={onClose}
          submit={TEXTS.move}
          submitting={TEXTS.moving}
          isBusy={isMoving}
          isDisabled={target === null || isRefused}
          icon={<FolderInput size={16} />}
        />
      }
    >
      <p>{TEXTS.moveChangesNobody}</p>
      <form id={form} onSubmit={(event) => void submit(event)} noValidate>
        {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
        <GroupPicker
          targets={targets}
          chosen={target}
          onChoose={choose}
          isLocked={isMoving}
          roles={TEXTS.roles}
          whyNot={({ role }) => (can(role, 'group.move') ? null : TEXTS.onlyAdmins)}
        />
        {isRefused && <MessageBox tone="danger" lines={[TEXTS.refused]} />}
        {!isMoving && !isRefused && target !== null && (
          <PreviewLine
            act={{
              kind: 'move-group',
              entry_group_id: group.id,
              target: target.id === ROOT ? undefined : target.id,
            }}
          />
        )}
      </form>
    </Dialog>
  );
}
