/** The way to what was deleted, at the foot of the side panel. */
import { Trash2 } from 'lucide-react';
import { NavLink } from 'react-router';
import { TRASH_TEXTS } from '../texts/trash.ts';
import styles from './side-panel.module.css';

export function PanelFoot({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  return (
    <NavLink to="/trash" className={styles['trash'] ?? ''} {...(onChosen === undefined ? {} : { onClick: onChosen })}>
      <Trash2 size={16} aria-hidden="true" />
      {TRASH_TEXTS.page}
    </NavLink>
  );
}
