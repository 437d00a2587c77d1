/**
 * A tour over every screen of the client: the first user signs up, fills a vault, shares it and opens every
 * page.
 */
import { tourOfAdmin, tourOfSignUp, tourOfTools } from './tour-site.ts';
import { tourOfEntries, tourOfFields, tourOfGroup } from './tour-vault.ts';

/** Run in this order: each starts where the former one ended. */
export const TOURS = [
  ['signing up', tourOfSignUp],
  ['fields', tourOfFields],
  ['entries', tourOfEntries],
  ['a group', tourOfGroup],
  ['tools', tourOfTools],
  ['administration, sign-in and sign-out', tourOfAdmin],
] as const;
