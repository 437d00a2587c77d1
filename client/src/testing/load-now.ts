import type { Load } from '../platform.ts';

export const loadNow: Load = (_name, importer) => importer();
