/** How the person gets each kind of notice, and the hour of the daily mail. */
import { changeSettings, settings } from '@passwordbroker/core/contract/account/notices';
import { DELIVERIES, NOTICE_KINDS, type Delivery } from '@passwordbroker/core/domain/notices';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Select } from '@passwordbroker/ui/inputs/select';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { tellFailure } from '../activity-log/activity-log.ts';
import { http } from '../page/page.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { NOTICE_TEXTS } from '../texts/notices.ts';
import styles from './account.module.css';
import { Section } from './section.tsx';

const TEXTS = NOTICE_TEXTS.settings;
const KEY = ['account', 'notices'] as const;

const WITHOUT_MAIL = ['off', 'here'] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  title: `${String(hour).padStart(2, '0')}:00`,
}));

/** On a site without mail the other choices come to the same as `here`. */
const shownDelivery = (chosen: Delivery, hasMail: boolean): Delivery => (hasMail || chosen === 'off' ? chosen : 'here');

const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Change {
  readonly kinds?: Readonly<Record<string, string>>;
  readonly digest_hour?: number;
  readonly digest_zone?: string;
}

export function NoticesSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(settings, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const change = async (body: Change) => {
    try {
      client.setQueryData(KEY, await http.call(changeSettings, { body }));
    } catch (failure) {
      tellFailure(`${TEXTS.failed}. ${reasonOf(failure)}`);
    }
  };
  return (
    <Section
      id="notices"
      title={TEXTS.title}
      hint={[TEXTS.hint, ...(data?.has_mail === false ? [TEXTS.noMail] : [])].join(' ')}
    >
      {data === undefined ? (
        <p role="status">{error === null ? ACCOUNT_TEXTS.loading : reasonOf(error)}</p>
      ) : (
        <div className={styles['form']}>
          {NOTICE_KINDS.map((kind) => (
            <Select
              key={kind}
              label={TEXTS.kinds[kind]}
              value={shownDelivery(data.kinds[kind], data.has_mail)}
              onChange={(value) => void change({ kinds: { [kind]: value } })}
              options={(data.has_mail ? DELIVERIES : WITHOUT_MAIL).map((delivery) => ({
                value: delivery,
                title: TEXTS.deliveries[delivery],
              }))}
            />
          ))}
          {data.has_mail && (
            <Select
              label={TEXTS.hour}
              hint={TEXTS.hourHint(data.digest_zone)}
              value={String(data.digest_hour)}
              onChange={(value) => void change({ digest_hour: Number(value), digest_zone: ownTimeZone() })}
              options={HOURS}
            />
          )}
        </div>
      )}
    </Section>
  );
}
