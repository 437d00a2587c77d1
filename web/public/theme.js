// Before anything is drawn, so that no other colours flash: dark, unless this browser keeps another choice (src/app/theme/theme.ts).
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Storage may be forbidden: then it is dark.
  }
  const isLight = chosen === 'light' || (chosen === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  const theme = isLight ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  const bar = document.querySelector('meta[name=theme-color]');
  bar.content = bar.dataset[theme];
})();
