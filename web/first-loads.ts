import type { Plugin } from 'vite';

// What each page of the console needs first. The server names it in the document, so that the browser loads all of it
// at once, rather than finding it step by step.

interface FirstLoad {
  path: string;
  /** Modules of the page's routes, in src/features. */
  routes: string[];
  /** Addresses that the page reads before anything else, exactly as it reads them. No text in a language is in them. */
  data: string[];
}

const SESSION = '/api/auth/session';
const EVENT = '/api/events/:id';

const ofUser = (path: string, route: string): FirstLoad => ({ path, routes: [route], data: [SESSION] });
const ofEvent = (path: string, route: string, ...data: string[]): FirstLoad => ({
  path: `/events/:id${path}`,
  routes: ['overview/routes/event-frame.tsx', route],
  data: [SESSION, EVENT, ...data.map((part) => EVENT + part)],
});

const PAGES: FirstLoad[] = [
  ofUser('/today', 'today/routes/today.tsx'),
  ofUser('/events', 'events/routes/event-list.tsx'),
  ofUser('/vendors', 'vendors/routes/vendors.tsx'),
  ofUser('/settings', 'settings/routes/settings.tsx'),
  ofUser('/sites', 'sites/routes/site-list.tsx'),
  ofUser('/sites/new', 'new-site/routes/new-site.tsx'),
  ofEvent(
    '',
    'overview/routes/overview.tsx',
    '/guests/counts',
    '/guests?invited=false&answered=false&limit=1',
    '/guests/numbers',
    '/guests/days',
  ),
  ofEvent('/guests', 'guests/routes/guest-list.tsx', '/guests?order=name&page=1&limit=50'),
  ofEvent('/waiting', 'waiting/routes/waiting.tsx'),
  ofEvent('/questions', 'questions/routes/questions.tsx'),
  ofEvent('/messages', 'messages/routes/message-list.tsx'),
  ofEvent('/invitation', 'invitation/routes/invitation.tsx'),
  ofEvent('/vendors', 'vendors/routes/bookings.tsx'),
  ofEvent('/checklist', 'checklist/routes/checklist.tsx'),
  ofEvent('/details', 'events/routes/details.tsx'),
  ofEvent('/sharing', 'sharing/routes/sharing.tsx'),
  ofEvent('/history', 'history/routes/history.tsx'),
];

/** Subsets of the font that the console's texts in each language need. Digits and spaces are Latin. */
const FONTS = { he: ['hebrew', 'latin'], ar: ['arabic', 'latin'], en: ['latin'] };

/** Writes the fonts of each language, and the files and data that each page needs first, to `.vite/first-loads.json`. */
export function firstLoads(): Plugin {
  return {
    name: 'simcha-first-loads',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const withImports = (fileName: string, found = new Set<string>()): Set<string> => {
          if (found.has(fileName)) return found;
          found.add(fileName);
          for (const one of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
            withImports(one, found);
          return found;
        };
        const inDocument = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => [...withImports(fileName)]),
        );
        const filesOf = (route: string) => {
          const chunk = chunks.find(({ moduleIds }) =>
            moduleIds.some((id) => id.endsWith(`/features/${route}`)),
          );
          if (!chunk) throw new Error(`No chunk has the route ${route} of first-loads.ts.`);
          return [...withImports(chunk.fileName)];
        };
        const pages = PAGES.map(({ path, routes, data }) => {
          const files = new Set(routes.flatMap(filesOf));
          return { path, files: [...files].filter((file) => !inDocument.has(file)), data };
        });
        const fontOf = (subset: string) => {
          const font = Object.keys(bundle).find((file) => file.includes(`rubik-${subset}-wght-normal`));
          if (!font) throw new Error(`There is no font with the subset ${subset} of first-loads.ts.`);
          return font;
        };
        const fonts = Object.fromEntries(
          Object.entries(FONTS).map(([language, subsets]) => [language, subsets.map(fontOf)]),
        );
        this.emitFile({
          type: 'asset',
          fileName: '.vite/first-loads.json',
          source: JSON.stringify({ fonts, pages }),
        });
      },
    },
  };
}
