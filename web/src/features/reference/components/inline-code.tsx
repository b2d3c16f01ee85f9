/** Renders a description, with the text between backticks as code. */
export function WithInlineCode({ children }: { children: string }) {
  let at = 0;
  return children.split('`').map((part, index) => {
    at += part.length + 1;
    return index % 2 === 1 ? <code key={at}>{part}</code> : part;
  });
}
