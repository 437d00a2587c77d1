import { type FormEvent, useId, useState } from 'react';
import { v7 as newId } from 'uuid';
import type { GroupTemplate } from '@passwordbroker/core/contract/groups/templates';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../../activity-log/activity-log.ts';
import { OWN_TEMPLATE_TEXTS as TEXTS } from '../../texts/entries/marks.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { IconChoice } from '../marks/mark-inputs.tsx';
import { changeOf, draftOf, type DraftTemplate, isBlank, TemplateFields } from './template-fields.tsx';
import { useTemplatesReload } from './use-templates.ts';

interface Props {
  readonly group: { readonly id: string; readonly title: string };
  /** null: a new one. */
  readonly template: GroupTemplate | null;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

/** Adds or changes a kind of entry: its name, its icon, and the fields that a new entry of it begins with. */
export function TemplateDialog({ group, template, write, onClose }: Props) {
  const form = useId();
  const reload = useTemplatesReload();
  /** A repeated save replaces what the first one stored. */
  const [id] = useState(() => template?.template_id ?? newId());
  const [draft, setDraft] = useState(() => draftOf(template));
  const change = (part: Partial<DraftTemplate>) => setDraft((before) => ({ ...before, ...part }));
  const { name, icon, fields } = draft;
  const [isChecked, setChecked] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setChecked(true);
    setProblems([]);
    if ([name, ...fields.map(({ title }) => title)].some(isBlank)) return;
    setBusy(true);
    try {
      await write.saveTemplate(group.id, id, changeOf(draft));
      tellDone(TEXTS.saved(name.trim()));
      await reload();
      onClose();
    } catch (failure) {
      const texts = failure instanceof AppError ? Object.values(failure.errors ?? {}).flat() : [];
      setProblems(texts.length > 0 ? texts : [reasonOf(failure)]);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={template === null ? TEXTS.newDialog : TEXTS.editDialog}
      subtitle={GROUP_TEXTS.within(group.title)}
      size="md"
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={GROUP_TEXTS.cancel}
          onCancel={onClose}
          submit={GROUP_TEXTS.save}
          submitting={GROUP_TEXTS.saving}
          isBusy={isBusy}
        />
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        {problems.length > 0 && <MessageBox tone="danger" lines={problems} />}
        <TextField
          label={TEXTS.name}
          value={name}
          onChange={(text) => change({ name: text })}
          ref={firstFocus}
          maxLength={LIMITS.title}
          autoComplete="off"
          hint={TEXTS.nameHint}
          error={isChecked && isBlank(name) ? GROUP_TEXTS.nameMissing : null}
        />
        <IconChoice title={name} icon={icon} onChange={(one) => change({ icon: one })} />
        <TemplateFields fields={fields} onChange={(all) => change({ fields: all })} isChecked={isChecked} />
      </form>
    </Dialog>
  );
}
