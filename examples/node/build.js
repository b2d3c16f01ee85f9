import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { marked } from 'marked';

const menu = await marked.parse(await readFile('menu.md', 'utf8'));

await mkdir('dist', { recursive: true });
await writeFile(
  'dist/index.html',
  `<!doctype html>
<html lang="he" dir="rtl">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>התפריט</title>
  <link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='none' stroke='%23b8862f' stroke-width='2' d='M2 4h12M4 8h8M2 12h12'/></svg>">
  <style>
    :root { color-scheme: light dark }
    body { max-width: 34rem; margin: 0 auto; padding: 3rem 1.5rem; font: 1.2rem/1.8 Georgia, serif }
    h1, h2 { font-weight: 400; text-align: center }
    h2 { color: light-dark(#9a6b1f, #e0b567) }
    ul { list-style: none; padding: 0; text-align: center }
  </style>
  ${menu}
</html>
`,
);
console.log(`dist/index.html: ${menu.length} characters of menu`);
