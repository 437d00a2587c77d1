/** Before each test file of a shared page: empties the storages, as in a new browser. */
localStorage.clear();
sessionStorage.clear();
