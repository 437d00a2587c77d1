import type { Load } from '../load.ts';

export const loadNow: Load = (_name, importer) => importer();
