/** What a spreadsheet may take for a formula: also in full width, and behind what can't be seen. */
const FORMULA = /^[\s'\p{Default_Ignorable_Code_Point}\p{Cf}]*[=+\-@\t\r＝＋－＠]/u;

/** What begins like a formula gets an apostrophe in front (OWASP, "CSV Injection"). */
export function notAsFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `notAsFormula` was given. */
export function asMeant(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
