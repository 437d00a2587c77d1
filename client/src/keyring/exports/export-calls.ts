/** Calls of an export. Opened values stay in the worker; the page gets the finished file. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { outline, ReleasedValue } from '@passwordbroker/core/contract/entries/exports';
import type { ExportFormat } from '@passwordbroker/core/domain/exchange/export-formats';
import type { SkippedThing } from '@passwordbroker/core/domain/exchange/tree';

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

export type Outline = Pick<AnswerOf<typeof outline>, 'groups' | 'entries'>;

export interface ExportCalls {
  /** Another export ends. `name`: of the root, if the groups have no common one. */
  beginExport: Call<{ readonly name: string; readonly outline: Outline }, { readonly handle: number }>;
  /**
   * Opens values of the outline; their groups must be open. `body`: of a file; it is transferred. `failed`: how many
   * do not open, because they are damaged.
   */
  openForExport: Call<
    {
      readonly handle: number;
      readonly values: readonly { readonly value: ReleasedValue; readonly body?: ArrayBuffer }[];
    },
    { readonly failed: number }
  >;
  /** Ends the export. `lost`: what the kind of file cannot hold. `isImportable`: whether one import
   * takes all of the file again. Progress in entries. */
  writeExport: Call<
    { readonly handle: number; readonly format: ExportFormat; readonly password: string },
    {
      readonly file: Blob;
      readonly extension: string;
      readonly lost: readonly SkippedThing[];
      readonly isImportable: boolean;
    },
    { readonly done: number; readonly total: number }
  >;
  dropExport: Call<{ readonly handle: number }, null>;
}
