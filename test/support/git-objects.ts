import { execFileSync } from 'node:child_process';
import { createRepository, GIT_ENV } from './git.ts';

/** Entry of a folder in a git repository: a folder, a file's contents, or the target of a symbolic link. */
export type Entry = { tree: string } | { file: string } | { link: string };

/**
 * Repository with contents that git can store but that no folder of this machine could hold; `root` returns the hash of
 * its tree.
 */
export async function craftRepository(root: (objects: ReturnType<typeof objectsIn>) => string) {
  const repository = await createRepository({});
  const objects = objectsIn(new URL(repository.address).pathname);
  objects.publish(root(objects));
  return repository;
}

function objectsIn(folder: string) {
  const git = (args: string[], input: string | Buffer = '') =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8', env: GIT_ENV }).trim();
  const blob = (contents: string | Buffer) => git(['hash-object', '-w', '--stdin'], contents);
  return {
    blob,
    /** Writes a git tree object for a folder. An entry with `file` is a file, given by the hash of its blob. */
    tree(entries: Iterable<[name: string, entry: Entry]>): string {
      const lines = Array.from(entries, ([name, entry]) => {
        if ('tree' in entry) return `040000 tree ${entry.tree}\t${name}`;
        if ('file' in entry) return `100644 blob ${entry.file}\t${name}`;
        return `120000 blob ${blob(entry.link)}\t${name}`;
      });
      return git(['mktree'], lines.map((line) => `${line}\n`).join(''));
    },
    publish(tree: string): void {
      const author = ['-c', 'user.name=Noa', '-c', 'user.email=noa@example.com'];
      git(['update-ref', 'refs/heads/main', git([...author, 'commit-tree', '-m', 'Crafted', tree])]);
    },
  };
}
