import { ShieldAlert } from 'lucide-react';
import type { OwnEvents } from '@passwordbroker/core/contract/account/credentials';
import { Button } from '@passwordbroker/ui/actions/button';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { formatTime } from '../lib/format.ts';
import { eventTitle } from '../texts/admin/audit-events.ts';
import { GRACE_TEXTS as TEXTS } from '../texts/identity/factors.ts';

const SHOWN = 3;

interface Props extends Pick<OwnEvents, 'events'> {
  readonly onDismiss: () => void;
}

export function OwnEventsBanner({ events, onDismiss }: Props) {
  const facts = events.slice(0, SHOWN).map(({ event_type, created_at, by_other, address }) => {
    const where = by_other ? TEXTS.byAdmin : (address ?? '');
    return `${eventTitle(event_type)} (${formatTime(created_at)}, ${where})`;
  });
  const more = events.length - facts.length;
  return (
    <Banner
      tone="warning"
      icon={<ShieldAlert size={16} />}
      action={
        <Button size="sm" onPress={onDismiss}>
          {TEXTS.wasMe}
        </Button>
      }
    >
      <b>{TEXTS.recently}</b> {[...facts, ...(more > 0 ? [TEXTS.more(more)] : [])].join(' · ')}. {TEXTS.notMe}
    </Banner>
  );
}
