import styles from './person-initials.module.css';
import { initialsOf } from './initials.ts';

/** A person in two letters, beside the name. */
export function PersonInitials({ name, size = 'md' }: { readonly name: string; readonly size?: 'md' | 'lg' }) {
  return (
    <span className={`${styles['initials']} ${size === 'lg' ? styles['lg'] : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
