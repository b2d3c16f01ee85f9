import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

/** Relevant content of a package.json. */
export interface Manifest {
  scripts: Readonly<Record<string, string>>;
  /** Packages on which the package.json depends, except peer dependencies. */
  dependencies: ReadonlySet<string>;
  packageManager: string;
  main: string | undefined;
  /** Version of Node.js that the package.json requests. */
  node: string | undefined;
  isWorkspace: boolean;
}

/** Parses a package.json. Throws RuntimeFailure if it is invalid. */
export function readManifest(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RuntimeFailure(reason('broken_manifest', { error: (error as Error).message }));
  }
  if (!isObject(parsed)) throw new RuntimeFailure(reason('manifest_no_object'));
  const scripts = Object.entries(isObject(parsed.scripts) ? parsed.scripts : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
  );
  const kinds = [parsed.dependencies, parsed.devDependencies, parsed.optionalDependencies];
  return {
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(kinds.flatMap((one) => (isObject(one) ? Object.keys(one) : []))),
    packageManager: typeof parsed.packageManager === 'string' ? parsed.packageManager : '',
    main: typeof parsed.main === 'string' ? parsed.main : undefined,
    // Volta names the version that the site's developers use, `engines` a bound:
    // https://docs.volta.sh/guide/understanding#managing-your-project
    node: textIn(parsed.volta, 'node') ?? textIn(parsed.engines, 'node'),
    isWorkspace: parsed.workspaces !== undefined,
  };
}

function textIn(value: unknown, name: string): string | undefined {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
