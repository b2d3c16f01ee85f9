/** Texts that a spreadsheet may take for a formula, also with full-width signs or after invisible characters. */
const FORMULA = /^[\s'\p{Default_Ignorable_Code_Point}\p{Cf}]*[=+\-@\t\r＝＋－＠]/u;

/** Puts an apostrophe before a cell's text that looks like a formula (OWASP, "CSV Injection"). */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Removes, from a cell's text, the apostrophe that `guardFormula` added. */
export function removeFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
