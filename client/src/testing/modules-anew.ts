/**
 * Before each file of tests that shares its process with others: the modules of this tree are forgotten, so that the client begins as on a page that was
 * just loaded. What comes from packages stays.
 */
import { vi } from 'vitest';

vi.resetModules();
