// Language, direction and colour scheme are set before anything is drawn, so that no page flashes in the wrong one.
(() => {
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const known = ['he', 'ar', 'en'];
  const wished = (navigator.languages || []).map((tag) => tag.slice(0, 2).replace('iw', 'he'));
  const language = [read('simcha.language'), ...wished].find((one) => known.includes(one)) || 'he';
  const scheme = read('simcha.scheme');
  const isDark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === 'en' ? 'ltr' : 'rtl';
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();
