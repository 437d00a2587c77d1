/** Import of a whole tree (docs/spec/api.md §3.10). */
import { importFile, importFileAtRoot } from '@passwordbroker/core/contract/entries/import';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { importKeepass, importTexts } from './import-keepass.ts';
import { importSealed } from './import-sealed.ts';

const forms = { sealed: importSealed, plain: importKeepass } as const;
// Reading and judging a batch of megabytes is work for the import's own thread.
const options = { leavesJsonUnread: true, plainTexts: importTexts } as const;

export const routes: readonly Route[] = [on(importFile, forms, options), on(importFileAtRoot, forms, options)];
