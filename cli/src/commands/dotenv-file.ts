/** Text of a `.env` file that readers of such files, and the server, read as these variables. */
export function dotenvOf(variables: Readonly<Record<string, string>>): {
  text: string;
  unwritable: string[];
} {
  const names = Object.keys(variables).sort();
  const lines = names.map((name) => [name, quoted(variables[name] ?? '')] as const);
  return {
    text: lines.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}\n`)).join(''),
    unwritable: lines.flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}

/** Value as it is, or in the first kind of quotes that it does not contain; undefined if it contains all. */
function quoted(value: string): string | undefined {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Within double quotes, readers of the file replace \n and \r, and some of them other characters after a backslash.
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`;
  return value.includes('`') ? undefined : `\`${value}\``;
}
