/**
 * Part of a benchmark that the command names, as in `npm run bench -- idle postgres`; undefined if it names none. Ends
 * the process with the accepted names for any other.
 */
export function chosenPart<T extends string>(parts: readonly T[]): T | undefined {
  const [, , benchmark, part] = process.argv;
  if (part === undefined || isOneOf(parts, part)) return part;
  console.error(`npm run bench -- ${benchmark} <part>, where the part is one of: ${parts.join(', ')}`);
  process.exit(1);
}

function isOneOf<T extends string>(parts: readonly T[], part: string): part is T {
  return (parts as readonly string[]).includes(part);
}
