/** Before each test file of a shared page: empties the storages, as in a new browser. Some files have no page. */
if ('document' in globalThis) {
  localStorage.clear();
  sessionStorage.clear();
}
