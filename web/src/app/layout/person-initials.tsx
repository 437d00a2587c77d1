import styles from './person-initials.module.css';

export function PersonInitials({ name, size = 'md' }: { readonly name: string; readonly size?: 'md' | 'lg' }) {
  return (
    <span className={`${styles['initials']} ${size === 'lg' ? styles['lg'] : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** 'Mira Okafor' → 'MO'. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = (word: string | undefined) => [...(word ?? '')][0] ?? '';
  return `${first(words[0])}${words.length > 1 ? first(words.at(-1)) : ''}`.toUpperCase();
}
