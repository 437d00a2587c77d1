import { Link } from 'react-router';
import type { Sentence } from '../texts/sentence.ts';
import styles from './history.module.css';

/** A sentence with its names in bold, as links where they have an address. */
export function Spoken({ sentence }: { readonly sentence: Sentence }) {
  return (
    <span className={styles['sentence']}>
      {sentence.map((part, at) => {
        if (typeof part === 'string') return part;
        // Sentences have few parts, whose order never changes.
        const key = `${at} ${part.name}`;
        return <strong key={key}>{part.to === undefined ? part.name : <Link to={part.to}>{part.name}</Link>}</strong>;
      })}
    </span>
  );
}

interface DetailsProps {
  readonly label: string;
  readonly members: readonly (readonly [name: string, value: string])[];
}

/** The stored row of a sentence, as names and values. */
export function RawRow({ label, members }: DetailsProps) {
  return (
    <dl className={styles['raw']} aria-label={label}>
      {members.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
