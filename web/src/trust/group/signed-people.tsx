/** People on the signed list of a group, not on the server's. */
import { useId, useState } from 'react';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { Popover } from '@passwordbroker/ui/overlays/popover';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import { peopleNames, useServerNames } from '../person-texts.ts';
import styles from '../trust.module.css';
import { useGroupTrust } from '../use-trust-state.ts';

export function SignedPeople({ groupId }: { readonly groupId: string }) {
  const tip = useId();
  const panel = useId();
  const [isOpen, setOpen] = useState(false);
  const people = useGroupTrust(groupId)?.newest?.people;
  const { names } = useServerNames(groupId);
  if (people === undefined || people.length === 0) return null;
  const text = people.length === 1 ? TEXTS.onlyYou : TEXTS.people(people.length);
  const listed = peopleNames(people, names);
  return (
    <Popover
      id={panel}
      label={TEXTS.readersHere}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      align="start"
      trigger={
        <Tooltip text={listed} id={tip} align="start" isHidden={isOpen}>
          <button
            type="button"
            className={styles['count']}
            aria-describedby={tip}
            aria-expanded={isOpen}
            onClick={() => setOpen((was) => !was)}
          >
            {text}
          </button>
        </Tooltip>
      }
    >
      <p className={styles['names']}>{listed}</p>
    </Popover>
  );
}
