import { useRef, useState } from 'react';
import { Plus } from 'lucide-react';
import type { GroupTemplate } from '@passwordbroker/core/contract/groups/templates';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { tellDone, tellFailure } from '../../activity-log/activity-log.ts';
import { OWN_TEMPLATE_TEXTS as TEXTS } from '../../texts/entries/marks.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { EntryIcon } from '../marks/entry-icon.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { changeOf, draftOf } from './template-fields.tsx';
import styles from './templates.module.css';
import { useTemplates, useTemplatesReload } from './use-templates.ts';

interface Props {
  readonly group: { readonly id: string; readonly title: string };
  readonly write: VaultWrite;
}

/** The kinds of entries that the group adds to the built-in ones; for its admins. */
export function OwnTemplates({ group, write }: Props) {
  const { data, error, refetch } = useTemplates(group.id, write);
  const reload = useTemplatesReload();
  const add = useRef<HTMLButtonElement>(null);
  /** The kind that the dialog shows; null: a new one. */
  const [shown, setShown] = useState<GroupTemplate | null | undefined>(undefined);
  const own = data?.filter(({ entry_group_id }) => entry_group_id === group.id) ?? [];
  const above = data?.filter(({ entry_group_id }) => entry_group_id !== group.id) ?? [];
  const remove = async (template: GroupTemplate) => {
    const { template_id, name } = template;
    try {
      await write.removeTemplate(group.id, template_id);
      // The pressed button disappears.
      add.current?.focus();
      tellDone(TEXTS.removed(name), async () => {
        await write.saveTemplate(group.id, template_id, changeOf(draftOf(template))).finally(() => void reload());
        return TEXTS.restored(name);
      });
      await reload();
    } catch (failure) {
      tellFailure(reasonOf(failure));
    }
  };
  return (
    <section className={styles['section']} aria-label={TEXTS.section}>
      <div className={styles['head']}>
        <div>
          <h2 className={styles['heading']}>{TEXTS.section}</h2>
          <p className={styles['hint']}>{TEXTS.hint}</p>
        </div>
        <Button
          icon={<Plus size={14} />}
          ref={add}
          isDisabled={data === undefined}
          whyNot={own.length >= LIMITS.groupTemplates ? TEXTS.full : null}
          onPress={() => setShown(null)}
        >
          {TEXTS.add}
        </Button>
      </div>
      {data === undefined && error !== null && (
        <MessageBox tone="danger" lines={[TEXTS.failed, error.message]}>
          <Button size="sm" onPress={() => void refetch()}>
            {GROUP_TEXTS.retry}
          </Button>
        </MessageBox>
      )}
      {data !== undefined && own.length === 0 && <EmptyLine title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {own.length > 0 && (
        <ul className={styles['list']}>
          {own.map((template) => (
            <TemplateRow
              key={template.template_id}
              template={template}
              onEdit={() => setShown(template)}
              onRemove={() => remove(template)}
            />
          ))}
        </ul>
      )}
      {above.length > 0 && (
        <p className={styles['hint']}>{TEXTS.above(above.map(({ name }) => `“${name}”`).join(', '))}</p>
      )}
      {shown !== undefined && (
        <TemplateDialog group={group} template={shown} write={write} onClose={() => setShown(undefined)} />
      )}
    </section>
  );
}

interface RowProps {
  readonly template: GroupTemplate;
  readonly onEdit: () => void;
  readonly onRemove: () => Promise<void>;
}

function TemplateRow({ template: { name, icon, fields }, onEdit, onRemove }: RowProps) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await onRemove();
    setBusy(false);
  };
  return (
    <li className={styles['row']}>
      <EntryIcon entry={{ title: name, icon }} />
      <div className={styles['what']}>
        <p className={styles['title']}>{name}</p>
        <p className={styles['facts']}>{fields.map(({ title }) => title).join(', ')}</p>
      </div>
      <div className={styles['verbs']}>
        <Button size="sm" label={TEXTS.editNamed(name)} onPress={onEdit}>
          {TEXTS.edit}
        </Button>
        <Button
          size="sm"
          variant="danger-quiet"
          label={TEXTS.removeNamed(name)}
          busy={isBusy}
          busyLabel={GROUP_TEXTS.removing}
          onPress={() => void remove()}
        >
          {TEXTS.remove}
        </Button>
      </div>
    </li>
  );
}
