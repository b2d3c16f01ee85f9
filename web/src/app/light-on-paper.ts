const ATTRIBUTE = 'data-mantine-color-scheme';

/**
 * Uses the light colors while the browser prints, also in the dark color scheme. Styles alone can't: Mantine's rules
 * for the dark scheme depend on an attribute of the page.
 */
export function lightOnPaper(): void {
  const root = document.documentElement;
  let scheme: string | null = null;
  const change = (isPrinting: boolean) => {
    if (isPrinting === (scheme !== null)) return;
    if (isPrinting) {
      scheme = root.getAttribute(ATTRIBUTE) ?? 'light';
      root.setAttribute(ATTRIBUTE, 'light');
    } else {
      root.setAttribute(ATTRIBUTE, scheme ?? 'light');
      scheme = null;
    }
  };
  addEventListener('beforeprint', () => change(true));
  addEventListener('afterprint', () => change(false));
  matchMedia('print').addEventListener('change', ({ matches }) => change(matches));
}
