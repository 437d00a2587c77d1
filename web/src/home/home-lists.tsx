import { Copy, ExternalLink, FileText, Folder, Search, Timer, User, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { FavouriteStar } from '../desk/favourite-star.tsx';
import type { DeskItems, FavouriteGroup, MissingFavourite } from '../desk/use-desk-items.ts';
import { useFavourites, useSavedSearches, type FavouriteKind } from '../desk/use-desk.ts';
import { entryAddress } from '../entries/entry-address.ts';
import { type EntryPart, useTakePart } from '../entries/entry-parts.ts';
import { RoleMark } from '../members/table/role-mark.tsx';
import { searchAddress } from '../search/search-path.ts';
import { HOME_TEXTS as TEXTS } from '../texts/entries/desk.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';
import styles from './home.module.css';

/** Rows before 'Show all'. */
const MOST_FAVOURITES = 12;
const MOST_RECENT = 8;

interface Props {
  readonly items: DeskItems;
}

export function FavouriteList({ items }: Props) {
  const { entries, groups, missing, isLoading, expected } = items;
  const rows = [
    ...entries.map((entry) => <EntryLine key={entry.entry_id} entry={entry} />),
    ...groups.map((group) => <GroupLine key={group.id} group={group} />),
    ...missing.map((favourite) => <MissingLine key={favourite.id} favourite={favourite} />),
  ];
  return (
    <Section
      title={TEXTS.favourites}
      most={MOST_FAVOURITES}
      rows={rows}
      expected={isLoading ? expected.favourites : 0}
      empty={TEXTS.noFavourites}
    />
  );
}

export function RecentList({ items: { recent, isLoading, expected } }: Props) {
  const rows = recent.map((entry) => <EntryLine key={entry.entry_id} entry={entry} />);
  return (
    <Section
      title={TEXTS.recent}
      most={MOST_RECENT}
      rows={rows}
      expected={isLoading ? expected.recent : 0}
      empty={TEXTS.noRecent}
    />
  );
}

/** Nothing without a saved search. */
export function SearchList() {
  const { list, toggle } = useSavedSearches();
  if (list.length === 0) return null;
  const rows = list.map(({ id, name, query }) => (
    <li key={id} className={styles['row']}>
      <Search size={16} aria-hidden="true" />
      <Link className={styles['name']} to={searchAddress({ query }) ?? '/'}>
        <span className={styles['rowTitle']} title={query}>
          {name}
        </span>
      </Link>
      <IconButton label={TEXTS.removeSearch(name)} icon={<X size={16} />} align="end" onPress={() => toggle(query)} />
    </li>
  ));
  return <Section title={TEXTS.searches} most={MOST_RECENT} rows={rows} expected={0} empty="" />;
}

interface SectionProps {
  readonly title: string;
  readonly most: number;
  readonly rows: readonly ReactNode[];
  /** Rows that are being loaded. */
  readonly expected: number;
  readonly empty: string;
}

function Section({ title, most, rows, expected, empty }: SectionProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <section className={styles['section']}>
      <h2>{title}</h2>
      {rows.length === 0 && expected === 0 && <p className={styles['hint']}>{empty}</p>}
      {(rows.length > 0 || expected > 0) && (
        <ul className={styles['list']} aria-label={title} aria-busy={expected > 0 || undefined}>
          {isWhole ? rows : rows.slice(0, most)}
          {rows.length === 0 &&
            Array.from({ length: Math.min(expected, most) }, (_, key) => (
              <li key={key} className={styles['row']} aria-hidden="true">
                <span className={styles['skeleton']}>
                  <Skeleton />
                </span>
              </li>
            ))}
        </ul>
      )}
      {rows.length > most && !isWhole && (
        <Button
          size="sm"
          variant="ghost"
          label={`${TEXTS.showAll(rows.length)}: ${title}`}
          onPress={() => setWhole(true)}
        >
          {TEXTS.showAll(rows.length)}
        </Button>
      )}
    </section>
  );
}

interface LineProps {
  readonly icon: ReactNode;
  readonly to: string;
  readonly title: string;
  readonly under: string;
  readonly favourite: { readonly kind: FavouriteKind; readonly id: string };
  readonly children?: ReactNode;
}

function Line({ icon, to, title, under, favourite: { kind, id }, children }: LineProps) {
  const favourites = useFavourites(kind);
  return (
    <li className={styles['row']}>
      {icon}
      <Link className={styles['name']} to={to}>
        <span className={styles['rowTitle']} title={title}>
          {title}
        </span>
        <span className={styles['under']}>{under}</span>
      </Link>
      {children}
      <FavouriteStar
        title={title}
        isOn={favourites.ids.has(id)}
        align="end"
        onToggle={() => favourites.toggle(id, title)}
      />
    </li>
  );
}

const PART_ICONS: Readonly<Record<EntryPart, ReactNode>> = {
  password: <Copy size={16} />,
  login: <User size={16} />,
  link: <ExternalLink size={16} />,
  code: <Timer size={16} />,
};
const PARTS = ['link', 'code', 'login', 'password'] as const;

function EntryLine({ entry }: { readonly entry: SearchRow }) {
  const takePart = useTakePart();
  const login = loginOf(entry);
  const isThere: Readonly<Record<EntryPart, boolean>> = {
    password: entry.passwords.length > 0,
    login: login !== '',
    link: entry.links.length > 0,
    code: entry.TOTPs.length > 0,
  };
  return (
    <Line
      icon={<FileText size={16} aria-hidden="true" />}
      to={entryAddress(entry)}
      title={entry.title}
      under={[login, entry.entry_group.name].filter(Boolean).join(' · ')}
      favourite={{ kind: 'entry', id: entry.entry_id }}
    >
      {PARTS.map((part) => (
        <span key={part} className={styles['verb']} data-part={part}>
          {isThere[part] && (
            <IconButton
              label={TEXTS.parts[part](entry.title)}
              icon={PART_ICONS[part]}
              align="end"
              onPress={() => void takePart(entry, part)}
            />
          )}
        </span>
      ))}
    </Line>
  );
}

const loginOf = ({ passwords }: SearchRow) => passwords.find(({ login }) => login !== '')?.login ?? '';

function GroupLine({ group: { id, title, above, role } }: { readonly group: FavouriteGroup }) {
  return (
    <Line
      icon={<Folder size={16} aria-hidden="true" />}
      to={`/entryGroup/${id}`}
      title={title}
      under={above}
      favourite={{ kind: 'group', id }}
    >
      <RoleMark role={role} />
    </Line>
  );
}

function MissingLine({ favourite: { kind, id } }: { readonly favourite: MissingFavourite }) {
  const { toggle } = useFavourites(kind);
  const title = TEXTS.missing[kind];
  return (
    <li className={styles['row']} data-missing>
      <span className={styles['name']}>
        <span className={styles['rowTitle']}>{title}</span>
        <span className={styles['under']}>{TEXTS.missingHint}</span>
      </span>
      <IconButton label={TEXTS.removeMissing} icon={<X size={16} />} align="end" onPress={() => toggle(id, title)} />
    </li>
  );
}
