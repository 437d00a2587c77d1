/** Notices of people: ids and counts only, no title, value or text. */
import type { Migration } from '../migrate.ts';

export const notices: Migration = {
  name: '0035-notices',
  both: [
    `create table notices (
      notice_id text primary key,
      user_id text not null references users (user_id) on delete cascade,
      kind text not null,
      subject text not null,
      repeats INT not null,
      created_at INT not null,
      read_at INT,
      mailed_at INT
    )`,
    'create index notices_of_user on notices (user_id, notice_id)',
    `create table notice_settings (
      user_id text primary key references users (user_id) on delete cascade,
      choices text not null,
      digest_hour INT,
      digest_zone text,
      digest_day text
    )`,
  ],
};
