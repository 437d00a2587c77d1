/** Groups, members and entries of the demonstration team. Secrets are generated when the seed runs. */
import type { Role } from '@passwordbroker/core/domain/policy';

export type SeedField =
  | { readonly type: 'password'; readonly title: string; readonly login: string }
  | { readonly type: 'link'; readonly title: string; readonly value: string }
  | { readonly type: 'note'; readonly title: string; readonly value: string }
  | { readonly type: 'TOTP'; readonly title: string }
  | {
      readonly type: 'file';
      readonly title: string;
      readonly name: string;
      readonly mime: string;
      readonly size: number;
    };

interface SeedEntry {
  readonly title: string;
  readonly fields: readonly SeedField[];
}

export interface SeedGroup {
  readonly name: string;
  /** The maker of the tree is admin; children without members have only the admin. */
  readonly members?: Partial<Record<PersonKey, Role>>;
  readonly entries?: readonly SeedEntry[];
  readonly children?: readonly SeedGroup[];
}

const password = (title: string, login: string): SeedField => ({ type: 'password', title, login });
const link = (title: string, value: string): SeedField => ({ type: 'link', title, value });
const note = (title: string, value: string): SeedField => ({ type: 'note', title, value });
const totp = (title: string): SeedField => ({ type: 'TOTP', title });
const file = (title: string, name: string, mime: string, size: number): SeedField => ({
  type: 'file',
  title,
  name,
  mime,
  size,
});

const service = (title: string, login: string, address: string): SeedEntry => ({
  title,
  fields: [password('Account', login), link('Console', address)],
});

const production: SeedGroup = {
  name: 'Production',
  members: { jonas: 'admin', priya: 'moderator', tomas: 'member' },
  entries: [
    {
      title: 'Billing ledger, primary',
      fields: [
        password('Root account', 'ledger_root'),
        password('Read-only account', 'ledger_ro'),
        link('Console', 'https://console.ledger.example:8443/primary'),
        note(
          'Failover runbook',
          'Pause billing workers before promoting the standby. Once lag is 0 s, run promote and wait for the pooler to reconnect.',
        ),
        file('Client certificate', 'ledger-root.p12', 'application/x-pkcs12', 4210),
        totp('Console sign-in'),
      ],
    },
    service('Analytics warehouse', 'warehouse_admin', 'https://warehouse.example/admin'),
    service('Backup bucket, cold storage', 'backup-writer', 'https://storage.example/cold'),
    service('Connection pooler', 'pooler', 'https://pooler.internal.example'),
    service('Event store', 'events_rw', 'https://events.internal.example'),
    service('Feature flags', 'flags@example.org', 'https://flags.example'),
    service('Geo lookup service', 'geo-client', 'https://geo.example/keys'),
    {
      title: 'Identity provider',
      fields: [
        password('Break-glass administrator', 'breakglass'),
        totp('Administrator sign-in'),
        note('When to use it', 'Only when single sign-on is down. Tell the security channel, then rotate.'),
      ],
    },
    service('Job queue', 'queue_admin', 'https://queue.internal.example'),
    service('Metrics store', 'metrics_rw', 'https://metrics.internal.example'),
    service('Search cluster', 'elastic', 'https://search.internal.example:9200'),
  ],
};

const engineering: SeedGroup = {
  name: 'Engineering',
  members: { jonas: 'admin', priya: 'moderator', tomas: 'member', wen: 'member' },
  entries: [service('Wiki', 'engineering', 'https://wiki.example')],
  children: [
    {
      name: 'CI and releases',
      members: { jonas: 'admin', priya: 'moderator' },
      entries: [
        {
          title: 'Release signing',
          fields: [
            file('Signing key', 'release-signing.asc', 'application/pgp-keys', 6742),
            password('Key passphrase', ''),
            note('Rotation', 'Every January. The old public key stays in the repository.'),
          ],
        },
        service('Package registry', 'release-bot', 'https://registry.example/settings'),
      ],
    },
    {
      name: 'Databases',
      members: { jonas: 'admin', priya: 'moderator' },
      children: [
        { name: 'Analytics replicas', entries: [service('Replica 1', 'replica_ro', 'https://replica-1.example')] },
        production,
        {
          name: 'Staging',
          members: { tomas: 'moderator' },
          entries: [service('Staging ledger', 'ledger', 'https://staging.example')],
        },
      ],
    },
    {
      name: 'Observability',
      members: { jonas: 'admin', wen: 'moderator' },
      entries: [service('Dashboards', 'oncall@example.org', 'https://dashboards.example')],
    },
    {
      name: 'Third-party APIs',
      members: { priya: 'member' },
      entries: [
        service('Payment gateway', 'merchant-4411', 'https://payments.example'),
        service('Maps', 'maps', 'https://maps.example'),
      ],
    },
  ],
};

export const TREES: readonly { readonly maker: PersonKey; readonly root: SeedGroup }[] = [
  { maker: 'mira', root: engineering },
  {
    maker: 'lucia',
    root: {
      name: 'Clients',
      members: { jonas: 'admin' },
      children: [
        {
          name: 'Alder & Finch',
          members: { mira: 'member' },
          entries: [service('Content system', 'editor@alder.example', 'https://alder.example/admin')],
        },
        {
          name: 'Nordhavn Museum',
          members: { mira: 'moderator' },
          entries: [
            {
              title: 'Ticket shop',
              fields: [
                password('Administrator', 'nordhavn'),
                link('Shop', 'https://tickets.nordhavn.example'),
                totp('Sign-in'),
              ],
            },
          ],
        },
        { name: 'Tessel Health', entries: [service('Patient portal', 'integration', 'https://portal.tessel.example')] },
      ],
    },
  },
  {
    maker: 'tomas',
    root: {
      name: 'Finance',
      members: { mira: 'moderator', lucia: 'admin' },
      children: [
        {
          name: 'Banking',
          members: { mira: 'moderator' },
          entries: [
            {
              title: 'Business account',
              fields: [
                password('Online banking', '77120934'),
                totp('Transaction code'),
                note('Branch', 'Harbour Street, ask for Mrs Åkesson.'),
              ],
            },
          ],
        },
        { name: 'Payroll provider', entries: [service('Payroll', 'hr@example.org', 'https://payroll.example')] },
      ],
    },
  },
  {
    maker: 'wen',
    root: {
      name: 'Office and facilities',
      members: { mira: 'member', jonas: 'member', priya: 'member', tomas: 'member', lucia: 'member' },
      entries: [
        {
          title: 'Guest network',
          fields: [password('Wireless key', 'Example-Guest'), note('Where', 'On the sign beside the lift, too.')],
        },
        {
          title: 'Alarm',
          fields: [password('Code', ''), file('Floor plan', 'floor-plan.pdf', 'application/pdf', 48_120)],
        },
      ],
    },
  },
];

/** The first person is site admin. */
export const TEAM = [
  { key: 'mira', username: 'Mira Okafor', email: 'mira@example.org' },
  { key: 'jonas', username: 'Jonas Lindqvist', email: 'jonas.lindqvist@example.org' },
  { key: 'priya', username: 'Priya Raman', email: 'priya.raman@example.org' },
  { key: 'tomas', username: 'Tomas Silva', email: 'tomas.silva@example.org' },
  { key: 'lucia', username: 'Lucia Marchetti', email: 'lucia.marchetti@example.org' },
  { key: 'wen', username: 'Wen Bao', email: 'wen.bao@example.org' },
] as const;

export type PersonKey = (typeof TEAM)[number]['key'];
