/** All migrations in order. A released one is never edited: its checksum is on record in every database. */
import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';

export const MIGRATIONS: readonly Migration[] = [tables];
