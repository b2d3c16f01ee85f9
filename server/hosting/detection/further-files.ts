import type { Source } from '../model/plan.ts';
import { parseToml } from './dependencies.ts';
import { isWorkspace, workspaceMembers } from './languages/rust.ts';
import { isObject } from './manifest.ts';

// Files of a source that its other files lead to, such as the settings of a Django project, which manage.py names.

type Texts = Source['texts'];

/** Paths of files to read because of the given files, and folders of further packages. */
export interface FurtherFiles {
  texts: readonly string[];
  /** Folders of packages of a Cargo workspace; `*` at the end of one stands for any folder. */
  packages: readonly string[];
}

const MOST_FILES = 20;

export function furtherFiles(texts: Texts): FurtherFiles {
  return {
    texts: [...requirementFiles(texts['requirements.txt']), ...djangoSettings(texts['manage.py'])],
    packages: workspaceMembers(texts['Cargo.toml']),
  };
}

/** Files that requirements.txt includes. */
function requirementFiles(text = ''): string[] {
  return [...text.matchAll(/^[ \t]*(?:-r|--requirement)[ \t=]+([\w.][\w./-]*)[ \t]*$/gm)]
    .map(([, file = '']) => file)
    .slice(0, MOST_FILES);
}

/** Files of the settings module that manage.py names, and usual files of a settings package. */
function djangoSettings(text = ''): string[] {
  const [, module] = /DJANGO_SETTINGS_MODULE['"],\s*['"](\w+(?:\.\w+)*)['"]/.exec(text) ?? [];
  if (module === undefined) return [];
  const path = module.replaceAll('.', '/');
  const [settings = path] = /^.*?\bsettings\b/.exec(path) ?? [];
  const inside = ['__init__', 'base', 'common', 'production', 'prod'].map((name) => `${settings}/${name}.py`);
  return [...new Set([`${path}.py`, `${settings}.py`, ...inside])];
}

/** Files of a workspace that count for all its packages, by the test whether a manifest beside them is a workspace's. */
export const INHERITED_FILES: readonly {
  file: string;
  manifest: string;
  isWorkspace: (manifest: string | undefined) => boolean;
}[] = [
  { file: 'Cargo.lock', manifest: 'Cargo.toml', isWorkspace },
  {
    file: 'uv.lock',
    manifest: 'pyproject.toml',
    isWorkspace(text) {
      const { tool } = parseToml(text);
      return isObject(tool) && isObject(tool.uv) && isObject(tool.uv.workspace);
    },
  },
];
