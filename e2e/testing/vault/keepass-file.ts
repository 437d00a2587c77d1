/**
 * A KeePass XML 2.x export for journeys: a nested group, one of each type of value, history, a recycle bin,
 * and any number of further entries.
 */

interface Options {
  /** Plain entries 'Host 1', 'Host 2', … beside the known ones. */
  readonly more?: number;
}

export const KNOWN = {
  group: 'Größere Datenbanken',
  entry: 'Ledger – primary',
  login: 'ledger_root',
  password: 'q8-Rf3_tYxB6mWz9Lr4c-Hn2',
  url: 'https://console.ledger.internal:8443/primary',
  notes: 'Pause billing first.\nThen promote.',
  deleted: 'Forgotten account',
} as const;

export function keepassFile({ more = 0 }: Options = {}): Buffer {
  const hosts = Array.from({ length: more }, (_, index) =>
    entry(`Host ${index + 1}`, { login: `host_${index + 1}`, password: `pw-${index + 1}` }),
  );
  return Buffer.from(`<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<KeePassFile>
  <Meta>
    <Generator>KeePassXC</Generator>
    <RecycleBinEnabled>True</RecycleBinEnabled>
    <RecycleBinUUID>${BIN}</RecycleBinUUID>
  </Meta>
  <Root>
    <Group>
      <UUID>${uuid(1)}</UUID>
      <Name>Team</Name>
      ${hosts.join('\n')}
      <Group>
        <UUID>${uuid(2)}</UUID>
        <Name>${KNOWN.group}</Name>
        ${entry(KNOWN.entry, { login: KNOWN.login, password: KNOWN.password, url: KNOWN.url, notes: KNOWN.notes, otp: true })}
        ${entry('Ledger – primary', { login: 'second_of_the_name', password: 'another-value-here' })}
      </Group>
      <Group>
        <UUID>${BIN}</UUID>
        <Name>Papierkorb</Name>
        ${entry(KNOWN.deleted, { login: 'nobody', password: 'must-not-arrive' })}
      </Group>
    </Group>
  </Root>
</KeePassFile>
`);
}

const BIN = Buffer.alloc(16, 0xbb).toString('base64');
const uuid = (n: number) => Buffer.alloc(16, n).toString('base64');
let last = 100;

interface Values {
  readonly login: string;
  readonly password: string;
  readonly url?: string;
  readonly notes?: string;
  readonly otp?: boolean;
}

function entry(title: string, { login, password, url = '', notes = '', otp = false }: Values): string {
  last += 1;
  const id = Buffer.alloc(16);
  id.writeUInt32BE(last, 0);
  return `<Entry>
    <UUID>${id.toString('base64')}</UUID>
    <Times>
      <CreationTime>2024-11-12T14:08:00Z</CreationTime>
      <LastModificationTime>2026-11-18T09:42:00Z</LastModificationTime>
      <Expires>False</Expires>
    </Times>
    ${text('Title', title)}${text('UserName', login)}${text('Password', password)}${text('URL', url)}${text('Notes', notes)}
    ${otp ? text('otp', 'otpauth://totp/Ledger:root?secret=JBSWY3DPEHPK3PXP&amp;period=30&amp;digits=6&amp;issuer=Ledger') : ''}
  </Entry>`;
}

const text = (key: string, value: string) => `<String><Key>${key}</Key><Value>${value}</Value></String>`;
