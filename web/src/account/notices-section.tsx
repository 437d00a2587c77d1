/** How the person gets each kind of notice. */
import { changeSettings, settings, type NoticeSettings } from '@passwordbroker/core/contract/account/notices';
import { DELIVERIES, NOTICE_KINDS } from '@passwordbroker/core/domain/notices';
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

export function NoticesSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(settings, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const change = async (kinds: Partial<NoticeSettings['kinds']>) => {
    try {
      client.setQueryData(KEY, await http.call(changeSettings, { body: { kinds } }));
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
              value={data.kinds[kind]}
              onChange={(value) =>
                void change({ [kind]: DELIVERIES.find((delivery) => delivery === value) ?? data.kinds[kind] })
              }
              options={DELIVERIES.filter(
                (delivery) =>
                  data.has_mail || delivery === data.kinds[kind] || delivery === 'off' || delivery === 'here',
              ).map((delivery) => ({ value: delivery, title: TEXTS.deliveries[delivery] }))}
            />
          ))}
        </div>
      )}
    </Section>
  );
}
