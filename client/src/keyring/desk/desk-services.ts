import type { DeskView } from '../calls.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import type { DeskBook } from './desk-book.ts';

type DeskCallName = 'desk' | 'changeDesk' | 'useEntry' | 'sealDesk' | 'deskStored' | 'readDesk' | 'beginDesk';

export function deskServices(session: () => OpenSession): Pick<Services, DeskCallName> {
  const viewAfter = async (work: (book: DeskBook) => Promise<void> | void): Promise<DeskView> => {
    const book = await session().desk();
    await work(book);
    return book.view();
  };
  return {
    desk: () => viewAfter(() => undefined),
    changeDesk: (change) => viewAfter((book) => book.change(change)),
    useEntry: ({ entryId }) => viewAfter((book) => book.use(entryId)),
    sealDesk: async () => (await session().desk()).sealed(),
    deskStored: ({ version }) => viewAfter((book) => book.stored(version)),
    readDesk: ({ document }) => viewAfter((book) => book.read(document)),
    beginDesk: () => viewAfter((book) => book.begin()),
  };
}
