import { type ReactNode, useEffect } from 'react';
import { CornerDownLeft, FileText, Folder } from 'lucide-react';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { SUGGESTION_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { RoleMark } from '../members/table/role-mark.tsx';
import { MarkedText } from './marked-text.tsx';
import type { Suggestion } from './suggestion.ts';
import styles from './suggestion-list.module.css';
import { useSuggestions } from './use-suggestions.ts';

export interface SuggestionListProps {
  readonly id: string;
  readonly query: string;
  readonly activeId: string | null;
  /** A stable function, called when the suggestions change. */
  readonly onShown: (rows: readonly Suggestion[]) => void;
  readonly onChoose: (suggestion: Suggestion) => void;
}

const KINDS = [
  { kind: 'group', title: TEXTS.groups },
  { kind: 'action', title: TEXTS.actions },
  { kind: 'entry', title: TEXTS.entries },
] as const;

/** The list below the search box, which keeps the focus and handles the arrow keys. */
export function SuggestionList({ id, query, activeId, onShown, onChoose }: SuggestionListProps) {
  const { rows, isComplete } = useSuggestions(query);
  useEffect(() => onShown(rows), [rows, onShown]);
  useEffect(() => {
    if (activeId !== null) document.getElementById(optionId(id, activeId))?.scrollIntoView({ block: 'nearest' });
  }, [id, activeId]);
  const kinds = KINDS.map((one) => ({ ...one, rows: rows.filter(({ kind }) => kind === one.kind) }));
  return (
    <div className={rows.length === 0 ? 'visually-hidden' : styles['panel']}>
      <p className="visually-hidden" role="status">
        {isComplete && TEXTS.count(rows.length)}
      </p>
      {rows.length > 0 && (
        <div
          id={id}
          role="listbox"
          aria-label={TEXTS.list}
          className={styles['list']}
          tabIndex={-1}
          // Keeps the focus in the search box.
          onMouseDown={(event) => event.preventDefault()}
        >
          {kinds.map(
            ({ kind, title, rows: ofKind }) =>
              ofKind.length > 0 && (
                <div key={kind} role="group" aria-label={title}>
                  <div className={styles['heading']} aria-hidden="true">
                    {title}
                  </div>
                  {ofKind.map((row) => (
                    <div
                      key={row.id}
                      id={optionId(id, row.id)}
                      role="option"
                      tabIndex={-1}
                      aria-selected={row.id === activeId}
                      aria-label={nameOf(row)}
                      className={styles['option']}
                      data-role={row.role ?? undefined}
                      onClick={() => onChoose(row)}
                      onKeyDown={() => undefined}
                    >
                      {glyphOf(row)}
                      <span className={styles['title']}>
                        <MarkedText text={row.title} query={query} />
                      </span>
                      <span className={styles['above']}>{row.above}</span>
                      {row.role !== null && <RoleMark role={row.role} />}
                    </div>
                  ))}
                </div>
              ),
          )}
        </div>
      )}
      {rows.length > 0 && query.trim() !== '' && (
        <p className={styles['foot']} aria-hidden="true">
          <kbd>{TEXTS.footKey}</kbd> {TEXTS.foot}
        </p>
      )}
    </div>
  );
}

/** DOM id of an option, for `aria-activedescendant` of the search box. */
export const optionId = (listId: string, suggestionId: string) => `${listId}-${suggestionId}`;

const nameOf = ({ title, above, role }: Suggestion) =>
  [title, above, role === null ? '' : GROUP_TEXTS.roles[role]].filter(Boolean).join(', ');

function glyphOf({ kind }: Suggestion): ReactNode {
  if (kind === 'group') return <Folder size={16} aria-hidden="true" />;
  return kind === 'entry' ? <FileText size={16} aria-hidden="true" /> : <CornerDownLeft size={16} aria-hidden="true" />;
}
