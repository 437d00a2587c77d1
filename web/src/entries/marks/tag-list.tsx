import { Link } from 'react-router';
import { searchAddress } from '../../search/search-path.ts';
import { MARK_TEXTS as TEXTS } from '../../texts/entries/marks.ts';
import styles from './marks.module.css';

interface Props {
  readonly tags: readonly string[];
}

const SHOWN_IN_ROW = 3;

/** A few tags beside the title of a row; the others as a number. */
export function TagsOfRow({ tags }: Props) {
  if (tags.length === 0) return null;
  const more = tags.slice(SHOWN_IN_ROW);
  return (
    <span className={styles['inRow']} title={tags.join(', ')}>
      <span className="visually-hidden">{TEXTS.tags}: </span>
      {tags.slice(0, SHOWN_IN_ROW).map((tag) => (
        <span key={tag} className={styles['tag']}>
          {tag}
        </span>
      ))}
      {more.length > 0 && (
        <span className={styles['tag']}>
          <span className="visually-hidden">{more.join(', ')}</span>
          <span aria-hidden="true">+{more.length}</span>
        </span>
      )}
    </span>
  );
}

/** All tags, each with a link to the entries that have it. */
export function TagLinks({ tags }: Props) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles['links']} aria-label={TEXTS.tags}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link className={styles['tag']} to={searchAddress({ query: tagQuery(tag) }) ?? '/'}>
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Quoted where needed. A phrase cannot contain a quotation mark, a word can. */
const tagQuery = (tag: string): string => (/\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`);
