import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from '../table/members.module.css';

export function NoAdding({ whyNot }: { readonly whyNot: string }) {
  return (
    <div className={styles['paused']}>
      <Button whyNot={whyNot}>{TEXTS.addNew}</Button>
      <span>{whyNot}</span>
    </div>
  );
}
