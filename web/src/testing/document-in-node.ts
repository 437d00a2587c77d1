/**
 * A document for React in Node. Unlike those of happy-dom, its files and blobs can be sent to a
 * worker and a server.
 */
import { Window } from 'happy-dom';

const window = new Window();
Object.assign(globalThis, { window, document: window.document, navigator: window.navigator });
