import { test } from 'vitest';

test.skip('PostgreSQL 15 or newer is not installed on this machine: the server ran on the embedded database alone', () => {});
