/**
 * Before each test file in a shared process: resets the modules of this repository, so that the client starts
 * as on a newly loaded page. Packages stay loaded.
 */
import { vi } from 'vitest';

vi.resetModules();
