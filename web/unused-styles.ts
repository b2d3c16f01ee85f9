import { createHash } from 'node:crypto';
import postcss from 'postcss';
import type { Plugin } from 'vite';

/** Class of a Mantine component. Each is in the script of its component too. */
const CLASS = /\bm_[0-9a-f]{6,8}\b/g;

/** Style sheet without the rules of Mantine's components that the scripts don't contain. */
export function withoutUnusedRules(css: string, scripts: readonly string[]): string {
  const used = new Set(scripts.flatMap((script) => script.match(CLASS) ?? []));
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) =>
      (selector.match(CLASS) ?? []).every((name) => used.has(name)),
    );
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}

/** Removes the styles of unused Mantine components from the build: a third of the style sheet. */
export function unusedStyles(): Plugin {
  return {
    name: 'simcha-unused-styles',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
        for (const file of files) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          const source = withoutUnusedRules(file.source.toString(), scripts);
          // The new name follows the content: browsers keep a file of the same name for a year.
          const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
          const fileName = `assets/style-${hash}.css`;
          for (const other of files)
            if (other.type === 'asset' && typeof other.source === 'string')
              other.source = other.source.replaceAll(file.fileName, fileName);
          delete bundle[file.fileName];
          this.emitFile({ type: 'asset', fileName, source });
        }
      },
    },
  };
}
