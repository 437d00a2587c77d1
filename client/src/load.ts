/** Imports code at first use; rejects if it does not load. `name` is for messages. */
export type Load = <Module>(name: string, importer: () => Promise<Module>) => Promise<Module>;
