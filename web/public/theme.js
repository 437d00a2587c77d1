// See theme.tsx.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Dark.
  }
  const isLight = chosen === 'light' || (chosen === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  const theme = isLight ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  const bar = document.querySelector('meta[name=theme-color]');
  bar.content = bar.dataset[theme];
})();
