import { test } from 'vitest';

test.skip('PostgreSQL 15 or newer is not installed on this machine: only the embedded database was tested', () => {});
