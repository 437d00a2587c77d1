import { Star } from 'lucide-react';
import { DESK_TEXTS as TEXTS } from '../texts/entries/desk.ts';
import { IconButton } from '@passwordbroker/ui/actions/button';
import styles from './favourite-star.module.css';

interface Props {
  readonly title: string;
  readonly isOn: boolean;
  readonly align?: 'center' | 'end';
  readonly onToggle: () => void;
}

export function FavouriteStar({ title, isOn, align = 'center', onToggle }: Props) {
  return (
    <IconButton
      label={TEXTS.favourite(title)}
      icon={<Star size={16} />}
      pressed={isOn}
      align={align}
      className={styles['star'] ?? ''}
      onPress={onToggle}
    />
  );
}
