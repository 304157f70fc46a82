/** A value as JSON on one line of the terminal, cut after 200 characters. */
export function briefly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
