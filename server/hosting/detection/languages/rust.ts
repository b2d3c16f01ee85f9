import { posix } from 'node:path';
import type { Source } from '../../model/plan.ts';
import { parseToml } from '../dependencies.ts';
import { isObject } from '../manifest.ts';
import { type CompiledPrograms, type Language, servingProgram } from './language.ts';

const MANIFEST = 'Cargo.toml';
const LOCKFILE = 'Cargo.lock';

/**
 * Command that builds all programs of a package. What was compiled stays in the home of the build for the next one; a
 * release contains the programs alone, where `cargo build` would put them.
 */
const build = (locked: '--locked ' | '') =>
  `cargo install ${locked}--path {folder} --root target --target-dir ~/.cache/cargo-target && ln -sfn bin target/release`;

const BUILDS = [{ command: build('--locked '), file: LOCKFILE }, { command: build('') }];

export const RUST: Language = {
  name: 'Rust',
  files: [
    { file: LOCKFILE, isInherited: true, manifest: MANIFEST },
    { file: MANIFEST, isUnlocked: true },
  ],
  programs: [{ name: 'Rust', check: 'rustc --version && cargo --version', package: 'cargo' }],
  variables: { CARGO_TERM_COLOR: 'never', CARGO_TERM_PROGRESS_WHEN: 'never' },
  frameworks: [
    {
      name: 'Rocket',
      packages: ['rocket'],
      program: { find: serverProgram, shown: 'a program' },
      kind: 'server',
      builds: BUILDS,
      starts: [{ command: 'ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT ./target/release/{name}' }],
      source: 'https://rocket.rs/guide/v0.5/deploying/',
    },
    {
      name: 'Rust',
      program: { find: serverProgram, shown: 'a program' },
      kind: 'server',
      builds: BUILDS,
      starts: [{ command: './target/release/{name}' }],
      source: 'https://doc.rust-lang.org/cargo/commands/cargo-install.html',
      verified: '1.96.0',
    },
  ],
  example: './target/release/server',
  source: 'https://doc.rust-lang.org/cargo/guide/',
};

/** Names that need no quotes in a shell. */
const SAFE = /^[A-Za-z0-9_][\w.-]*$/;
const SAFE_FOLDER = /^[\w.][\w./-]*$/;

/** Package of Cargo: its folder below the root, and the names of its programs. */
interface CargoPackage {
  name: string;
  folder: string;
  programs: string[];
  /** Program that `cargo run` starts. */
  defaultProgram: string | undefined;
}

/** Program that serves the site: of the package in the root, or of one package of the workspace. */
function serverProgram(source: Source): CompiledPrograms | undefined {
  const packages = packagesOf(source).filter(({ programs }) => programs.length > 0);
  const candidates = packages.filter(({ folder }) => folder === '.');
  const [only, ...others] = candidates.length > 0 ? candidates : packages;
  if (!only) return undefined;
  const all = [only, ...others];
  const names = all.flatMap(({ programs }) => programs);
  const name =
    others.length === 0
      ? (only.defaultProgram ?? servingProgram(names, only.name))
      : servingProgram(names, undefined);
  const chosen = others.length === 0 ? only : all.find(({ programs }) => programs.includes(name ?? ''));
  return {
    placeholders: { ...(chosen && { folder: chosen.folder }), ...(name !== undefined && { name }) },
    names,
  };
}

function packagesOf(source: Source): CargoPackage[] {
  return Object.entries(source.texts).flatMap(([file, text]) => {
    if (posix.basename(file) !== MANIFEST) return [];
    const { package: described, bin } = parseToml(text);
    const folder = posix.dirname(file);
    if (!isObject(described) || typeof described.name !== 'string' || !SAFE_FOLDER.test(folder)) return [];
    const { name, autobins, 'default-run': run } = described;
    const named = Array.isArray(bin) ? bin.flatMap((one) => (isObject(one) ? [one.name] : [])) : [];
    const found = autobins === false ? [] : foundPrograms(source, folder, name);
    const programs = [...new Set([...named, ...found])].filter(
      (one): one is string => typeof one === 'string' && SAFE.test(one),
    );
    const defaultProgram = programs.find((one) => one === run);
    return [{ name, folder, programs, defaultProgram }];
  });
}

/**
 * Programs that Cargo finds by their files:
 * https://doc.rust-lang.org/cargo/guide/project-layout.html
 */
function foundPrograms({ files, folders }: Source, folder: string, name: string): string[] {
  const inside = posix.join(folder, 'src/bin/');
  const sources = [...files].filter((file) => file.startsWith(inside) && file.endsWith('.rs'));
  return [
    ...(files.has(posix.join(folder, 'src/main.rs')) ? [name] : []),
    ...sources.map((file) => posix.basename(file, '.rs')),
    ...[...folders].filter((one) => one.startsWith(inside)).map((one) => posix.basename(one)),
  ];
}

const MOST_MEMBERS = 50;

/**
 * Folders of the packages of a workspace, as its manifest lists them; `*` at the end of one stands for any folder.
 */
export function workspaceMembers(manifest: string | undefined): string[] {
  const { workspace } = parseToml(manifest);
  const members = isObject(workspace) && Array.isArray(workspace.members) ? workspace.members : [];
  return members
    .filter((one): one is string => typeof one === 'string' && SAFE_FOLDER.test(one.replace(/\*$/, '')))
    .slice(0, MOST_MEMBERS);
}

/** True if a manifest is that of a workspace. */
export function isWorkspace(manifest: string | undefined): boolean {
  return isObject(parseToml(manifest).workspace);
}
