import { memo, useId, type ReactNode } from 'react';
import { ChevronRight, Copy, Ellipsis, Star, User, FolderInput, Link2, Pencil, Eye, Trash2 } from 'lucide-react';
import type { Entry, ListedEntry } from '@passwordbroker/core/contract/entities';
import type { Role } from '@passwordbroker/core/domain/policy';
import { FavouriteStar } from '../../desk/favourite-star.tsx';
import { FieldTable } from '../../fields/table/field-table.tsx';
import { formatTime } from '../../lib/format.ts';
import { DESK_TEXTS } from '../../texts/entries/desk.ts';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { BULK_TEXTS, ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import styles from './entries-table.module.css';
import { Spacer } from './spacer.tsx';
import { activityLog } from '../../activity-log/activity-log.ts';
import { clipboard } from '../../lib/clipboard.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { TakePart } from '../entry-parts.ts';
import { draggable, type EntryDrag } from '../entry-drag.ts';
import { entryAddress } from '../entry-address.ts';
import { DueDate, dueText } from '../marks/due-date.tsx';
import type { EntryColumns } from './entry-columns.ts';
import { EntryIcon } from '../marks/entry-icon.tsx';
import { TagLinks, TagsOfRow } from '../marks/tag-list.tsx';

interface EntryRowProps {
  readonly entry: ListedEntry;
  readonly columns: EntryColumns['shown'];
  readonly role: Role;
  readonly index: number;
  /** Height in pixels of the rows above that are not rendered. */
  readonly gapBefore: number;
  readonly isOpen: boolean;
  /** null where rows cannot be chosen. */
  readonly isChosen: boolean | null;
  readonly isFavourite: boolean;
  readonly verbs: readonly EntryVerb[];
  /** Stable functions of the table, so that rows render only for their own changes. */
  readonly onToggle: (id: string) => void;
  readonly onChoose: (id: string) => void;
  readonly onCopy: TakePart;
  readonly onStar: (id: string, title: string) => void;
  /** null where entries cannot be moved. */
  readonly onDrag: ((id: string) => EntryDrag) | null;
  readonly measure: (element: HTMLElement | null) => void;
}

export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, columns, role, index, gapBefore, isOpen, isChosen, isFavourite, verbs } = props;
  const { onToggle, onChoose, onCopy, onStar, onDrag, measure } = props;
  const star = () => onStar(entry.entry_id, entry.title);
  const fields = useId();
  return (
    <>
      {gapBefore > 0 && <Spacer height={gapBefore} />}
      <div ref={measure} data-index={index} role="presentation">
        <div
          className={styles['row']}
          role="row"
          aria-rowindex={index + 2}
          data-chosen={isChosen === true || undefined}
          data-open={isOpen || undefined}
          {...draggable(onDrag === null ? null : () => onDrag(entry.entry_id))}
        >
          {isChosen !== null && (
            <ChoiceCell>
              <Checkbox
                isSelected={isChosen}
                onChange={() => onChoose(entry.entry_id)}
                label={BULK_TEXTS.select(entry.title)}
              />
            </ChoiceCell>
          )}
          <div className={styles['titleCell']} role="cell">
            <button
              type="button"
              className={styles['title']}
              data-entry-title
              aria-keyshortcuts="C B F"
              aria-expanded={isOpen}
              aria-controls={isOpen ? fields : undefined}
              onClick={() => onToggle(entry.entry_id)}
            >
              <ChevronRight className={styles['chevron']} size={12} aria-hidden="true" />
              <EntryIcon entry={entry} />
              <span className={styles['text']} title={entry.title}>
                {entry.title}
                <span className={styles['under']}>{underTitle(entry, columns)}</span>
              </span>
            </button>
            {!isOpen && (
              <span className={styles['marksOfRow']}>
                <TagsOfRow tags={entry.tags} />
                <DueDate entry={entry} />
              </span>
            )}
          </div>
          {columns.has('login') && (
            <div className={styles['login']} role="cell" title={entry.login ?? undefined}>
              {entry.login}
            </div>
          )}
          {columns.has('created_at') && (
            <div className={`${styles['date']} ${styles['created']}`} role="cell">
              {formatTime(entry.created_at)}
            </div>
          )}
          {columns.has('updated_at') && (
            <div className={styles['date']} role="cell">
              {formatTime(entry.updated_at)}
            </div>
          )}
          <div className={styles['moreCell']} role="cell">
            <span className={styles['star']} data-on={isFavourite || undefined}>
              <FavouriteStar title={entry.title} isOn={isFavourite} align="end" onToggle={star} />
            </span>
            <span className={styles['copyPassword']}>
              <IconButton
                label={TEXTS.copyPasswordOf(entry.title)}
                icon={<Copy size={16} />}
                align="end"
                onPress={() => void onCopy(entry, 'password')}
              />
            </span>
            <Menu
              label={TEXTS.more(entry.title)}
              icon={<Ellipsis size={16} />}
              items={[
                {
                  label: isFavourite ? DESK_TEXTS.remove : DESK_TEXTS.add,
                  icon: <Star size={16} />,
                  whyNot: null,
                  onPress: star,
                },
                ...verbs.map(({ label, icon, whyNot = null, onPress }) => ({
                  label,
                  icon,
                  whyNot,
                  onPress: () => onPress(entry),
                })),
              ]}
            />
          </div>
        </div>
        {isOpen && (
          <div role="row" id={fields}>
            <div className={styles['fields']} role="cell" aria-colspan={columns.size + (isChosen === null ? 1 : 2)}>
              <div className={styles['marks']}>
                <TagLinks tags={entry.tags} />
                <DueDate entry={entry} isLong />
              </div>
              <FieldTable entry={entry} role={role} />
            </div>
          </div>
        )}
      </div>
    </>
  );
});

/** What a phone shows instead of the columns. */
function underTitle(entry: ListedEntry, columns: EntryColumns['shown']): string {
  const login = columns.has('login') ? entry.login : null;
  const due = dueText(entry);
  const time = login === null && due === null ? TEXTS.updated(formatTime(entry.updated_at)) : null;
  return [login, due, time, ...entry.tags].filter((text) => text !== null).join(' · ');
}

/** Makes the whole cell clickable. */
export function ChoiceCell({ children, isHead = false }: { readonly children: ReactNode; readonly isHead?: boolean }) {
  return (
    <div className={styles['choice']} role={isHead ? 'columnheader' : 'cell'}>
      {children}
    </div>
  );
}

export interface EntryVerb {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onPress: (entry: Entry) => void;
  /** Why it is disabled, or null. */
  readonly whyNot?: string | null;
}

interface Writes {
  readonly onEdit: (entry: Entry) => void;
  readonly onMove: (entry: Entry) => void;
  readonly onRemove: (entry: Entry) => void;
}

interface Reads {
  readonly onCopy: TakePart;
  readonly onWhoCanSee: (entry: Entry) => void;
}

/**
 * The menu at the end of an entry's row.
 * @param writes null if the person may only read
 */
export function entryVerbs(
  writes: Writes | null,
  { onCopy, onWhoCanSee }: Reads,
  whyNot: string | null,
  whyNotMove: string | null,
): readonly EntryVerb[] {
  const copies: readonly EntryVerb[] = [
    { label: TEXTS.copyPassword, icon: <Copy size={16} />, onPress: (entry) => void onCopy(entry, 'password') },
    { label: TEXTS.copyLogin, icon: <User size={16} />, onPress: (entry) => void onCopy(entry, 'login') },
  ];
  const who = { label: GROUP_TEXTS.whoCanSee, icon: <Eye size={16} />, onPress: onWhoCanSee, whyNot };
  const link = { label: TEXTS.copyLink, icon: <Link2 size={16} />, onPress: (entry: Entry) => void copyLink(entry) };
  if (writes === null) return [...copies, link, who];
  return [
    ...copies,
    { label: TEXTS.edit, icon: <Pencil size={16} />, onPress: writes.onEdit, whyNot },
    { label: TEXTS.move, icon: <FolderInput size={16} />, onPress: writes.onMove, whyNot: whyNotMove },
    link,
    who,
    { label: TEXTS.remove, icon: <Trash2 size={16} />, onPress: writes.onRemove, whyNot },
  ];
}

async function copyLink(entry: Entry): Promise<void> {
  try {
    await clipboard.copyPlain(new URL(entryAddress(entry), globalThis.location.origin).href);
    activityLog.add(TEXTS.linkCopied(entry.title));
    toast(TEXTS.linkCopied(entry.title), { tone: 'success' });
  } catch (failure) {
    toast(failure instanceof Error ? failure.message : String(failure), { tone: 'danger' });
  }
}
