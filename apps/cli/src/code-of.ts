/** What kind of error it is, such as ENOENT, or what it says, for a sentence that says the rest. */
export function codeOf(error: unknown): string {
  const { code }: { readonly code?: unknown } = Object(error);
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.message : String(error);
}
