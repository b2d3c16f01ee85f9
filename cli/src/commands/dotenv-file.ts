/**
 * Makes the text of a `.env` file from variables, so that the server and other programs read the same values from it.
 */
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

/** Value of a variable, in quotes if it needs them; undefined if it contains every kind of quote. */
function quoted(value: string): string | undefined {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Within double quotes, programs that read `.env` files replace \n and \r, and some also other characters after a
  // backslash.
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`;
  return value.includes('`') ? undefined : `\`${value}\``;
}
