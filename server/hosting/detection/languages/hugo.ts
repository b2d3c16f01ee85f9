import type { Language } from './language.ts';

const HUGO_SOURCE = 'https://gohugo.io/host-and-deploy/';
const HUGO_FILES = ['hugo.toml', 'hugo.yaml', 'config/_default/hugo.toml'];
/**
 * Names of Hugo's settings files that other programs use too, so that such a file alone does not prove that the source
 * is for Hugo.
 */
const OLD_HUGO_FILES = ['config.toml', 'config.yaml', 'config/_default/config.toml'];

export const HUGO: Language = {
  name: 'Hugo',
  files: [
    ...HUGO_FILES.map((file) => ({ file })),
    ...OLD_HUGO_FILES.map((file) => ({
      file,
      content: { says: /^\s*(?:baseURL|languageCode)\s*[:=]/im, shown: 'baseURL' },
    })),
  ],
  programs: [{ name: 'Hugo', check: 'hugo version', package: 'hugo' }],
  frameworks: [
    {
      name: 'Hugo',
      files: [...HUGO_FILES, ...OLD_HUGO_FILES],
      kind: 'static',
      // Hugo's links are absolute, and the address in its settings is often only an example.
      builds: [{ command: 'hugo --baseURL "$SIMCHA_URL/"' }],
      publish: ['public'],
      source: HUGO_SOURCE,
      verified: '0.111.3',
    },
  ],
  example: 'hugo server --bind $HOST --port $PORT',
  source: HUGO_SOURCE,
};
