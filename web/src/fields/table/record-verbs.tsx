import { History, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import type { Field } from '@passwordbroker/core/contract/entities';
import { RECORD_TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { IconButton } from '@passwordbroker/ui/actions/icon-button';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import styles from './field-table.module.css';

export interface RecordVerbs {
  readonly history: (field: Field) => void;
  /** Why each is disabled, or null. */
  readonly whyNot: { readonly edit: string | null; readonly remove: string | null };
  /** null if the person may only read. */
  readonly write: { readonly edit: (field: Field) => void; readonly remove: (field: Field) => void } | null;
}

interface Props {
  readonly field: Field;
  readonly verbs: RecordVerbs;
  /** The value is being loaded into the edit dialog. */
  readonly isOpening: boolean;
}

/** Actions of a field; one menu on a small screen. */
export function RecordVerbButtons({ field, verbs, isOpening }: Props) {
  const { menuItems } = RECORD_TEXTS;
  const title = field.title === '' ? FIELD_TEXTS.untitled : field.title;
  const { write, whyNot } = verbs;
  const items = [
    { label: menuItems.history, name: FIELD_TEXTS.history(title), icon: History, press: verbs.history, whyNot: null },
    ...(write === null
      ? []
      : [
          {
            label: menuItems.edit,
            name: RECORD_TEXTS.edit(title),
            icon: Pencil,
            press: write.edit,
            whyNot: whyNot.edit,
          },
          {
            label: menuItems.remove,
            name: RECORD_TEXTS.remove(title),
            icon: Trash2,
            press: write.remove,
            whyNot: whyNot.remove,
          },
        ]),
  ];
  return (
    <>
      <span className={styles['wideVerbs']}>
        {items.map(({ label, name, icon: Icon, press, whyNot: reason }, at) => (
          <IconButton
            key={label}
            label={name}
            icon={<Icon size={16} />}
            busy={label === menuItems.edit && isOpening}
            tone={label === menuItems.remove ? 'danger' : 'plain'}
            align={at === items.length - 1 ? 'end' : 'center'}
            whyNot={reason}
            onPress={() => press(field)}
          />
        ))}
      </span>
      <span className={styles['verbMenu']}>
        <Menu
          label={RECORD_TEXTS.menu(title)}
          icon={<MoreHorizontal size={18} />}
          items={items.map(({ label, icon: Icon, press, whyNot: reason }) => ({
            label,
            icon: <Icon size={16} />,
            isDisabled: label === menuItems.edit && isOpening,
            whyNot: reason,
            onPress: () => press(field),
          }))}
        />
      </span>
    </>
  );
}
