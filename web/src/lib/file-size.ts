import { LANGUAGES, type Language } from './languages.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** Size in its largest unit of 1,000 smaller ones: "40 kB", "1.5 GB". */
export function formatFileSize(bytes: number, language: Language): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / STEP ** power;
  return new Intl.NumberFormat(LANGUAGES[language].locale, {
    style: 'unit',
    unit: UNITS[power] as string,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value);
}
