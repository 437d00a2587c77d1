import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { RecordVerb } from './field-dialogs.tsx';
import type { RecordVerbs } from './record-verbs.tsx';

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
      if (verb !== 'history' && (verb === 'edit' ? edit : remove) !== null) return;
      setProblem(null);
      setOpen((before) => before ?? { verb, field });
    };
    return {
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
