import { History, MoreHorizontal, Pencil, Trash2, Users } from 'lucide-react';
import type { Field } from '@passwordbroker/core/contract/entities';
import { RECORD_TEXTS, FIELD_TEXTS, SEEN_BY_TEXTS } from '../../texts/entries/fields.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import styles from './field-table.module.css';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { RecordVerb } from './field-dialogs.tsx';

export interface RecordVerbs {
  readonly seenBy: (field: Field) => void;
  readonly history: (field: Field) => void;
  /** Why each is disabled, or null. */
  readonly whyNot: { readonly edit: string | null; readonly remove: string | null };
  /** null if the person may only read. */
  readonly write: { readonly edit: (field: Field) => void; readonly remove: (field: Field) => void } | null;
}

interface Props {
  readonly field: Field;
  readonly verbs: RecordVerbs;
  /** 'Seen by 3'; null if nobody has seen it, or nobody is known. */
  readonly seenBy: string | null;
  /** The value is being loaded into the edit dialog. */
  readonly isOpening: boolean;
}

/** Actions of a field; one menu on a small screen. */
export function RecordVerbButtons({ field, verbs, seenBy, isOpening }: Props) {
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
        {seenBy !== null && (
          <span className={styles['seenBy']}>
            <Button
              size="sm"
              variant="ghost"
              label={SEEN_BY_TEXTS.open(seenBy, title)}
              onPress={() => verbs.seenBy(field)}
            >
              {seenBy}
            </Button>
          </span>
        )}
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
          items={[
            ...(seenBy === null
              ? []
              : [{ label: seenBy, icon: <Users size={16} />, onPress: () => verbs.seenBy(field) }]),
            ...items.map(({ label, icon: Icon, press, whyNot: reason }) => ({
              label,
              icon: <Icon size={16} />,
              isDisabled: label === menuItems.edit && isOpening,
              whyNot: reason,
              onPress: () => press(field),
            })),
          ]}
        />
      </span>
    </>
  );
}

interface Open {
  readonly verb: RecordVerb;
  readonly field: Field;
}

interface Problem {
  readonly fieldId: string;
  readonly text: string;
}

interface UseRecordVerbs {
  readonly verbs: RecordVerbs;
  readonly open: Open | null;
  readonly problem: Problem | null;
  readonly end: (problem: string | null) => void;
  readonly removed: () => void;
}

/**
 * The open dialog of a field table, its error, and the focus after a field was deleted.
 * @param table holds the rows, and gets the focus if none is left
 */
export function useRecordVerbs(
  table: RefObject<HTMLElement | null>,
  mayWrite: boolean,
  whyNot: RecordVerbs['whyNot'],
): UseRecordVerbs {
  const [open, setOpen] = useState<Open | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** Ids of the neighbours of a field that is being deleted, nearest first. */
  const neighbours = useRef<readonly string[]>([]);
  const isRemoved = useRef(false);

  const { edit, remove } = whyNot;
  const verbs = useMemo<RecordVerbs>(() => {
    const opening = (verb: RecordVerb) => (field: Field) => {
      if ((verb === 'edit' && edit !== null) || (verb === 'remove' && remove !== null)) return;
      setProblem(null);
      setOpen((before) => before ?? { verb, field });
    };
    return {
      seenBy: opening('seenBy'),
      history: opening('history'),
      write: mayWrite ? { edit: opening('edit'), remove: opening('remove') } : null,
      whyNot: { edit, remove },
    };
  }, [mayWrite, edit, remove]);

  useEffect(() => {
    if (open?.verb === 'remove') {
      const ids = rowsOf(table.current).map((row) => row.dataset['field'] ?? '');
      const at = ids.indexOf(open.field.field_id);
      neighbours.current = [...ids.slice(at + 1), ...ids.slice(0, at).toReversed()];
    }
    if (open !== null || !isRemoved.current) return;
    isRemoved.current = false;
    const rows = rowsOf(table.current);
    const next = neighbours.current.flatMap((id) => rows.filter((row) => row.dataset['field'] === id)).at(0);
    (next ?? table.current?.querySelector('button'))?.focus();
  }, [open, table]);

  return {
    verbs,
    open,
    problem,
    end(text) {
      setOpen(null);
      setProblem(text === null || open === null ? null : { fieldId: open.field.field_id, text });
    },
    removed() {
      isRemoved.current = true;
      setOpen(null);
    },
  };
}

const rowsOf = (table: HTMLElement | null) => [...(table?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
