import { type Document, type Scalar, visit } from 'yaml';
import { type Environment } from './read-environment.ts';

/**
 * Replaces `${NAME}` and `${NAME:-default}` in the values (not the keys) of a document by environment variables; `$${` stands for a
 * literal `${`. A variable that is not set or empty takes the default. An unquoted value that is nothing but one variable is read again as
 * YAML, so that `enabled: ${TELECOM_ENABLED:-true}` is a boolean.
 *
 * @returns one entry per variable that could not be filled in; its text stays as it was.
 */
export function expandEnvironment(
  document: Document,
  env: Environment,
): { readonly offset: number; readonly message: string }[] {
  const problems: { offset: number; message: string }[] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const expanded = expandText(node.value, env);
      if (expanded.problem !== null) problems.push({ offset: node.range?.[0] ?? 0, message: expanded.problem });
      else node.value = isWholeVariable(node) ? readPlainScalar(expanded.text) : expanded.text;
    },
  });
  return problems;
}

const reference = /\$?\$\{([^}]*)(\})?/g;
const body = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

function expandText(text: string, env: Environment): { readonly text: string; readonly problem: string | null } {
  let problem: string | null = null;
  const expanded = text.replaceAll(reference, (whole: string, inner: string, close: string | undefined) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    const [, name, byDefault] = (close === undefined ? null : body.exec(inner)) ?? [];
    const value = name === undefined ? undefined : env[name] || byDefault;
    if (value !== undefined) return value;
    problem =
      name === undefined
        ? `${JSON.stringify(whole)} is no environment variable. Write \${NAME} or \${NAME:-default}; for the literal text write $\${.`
        : `The environment variable ${name} is not set. Set it, or write a default: \${${name}:-value}.`;
    return whole;
  });
  return { text: expanded, problem };
}

function isWholeVariable(node: Scalar): boolean {
  return node.type === 'PLAIN' && /^\$\{[^}]*\}$/.test(String(node.value));
}

function readPlainScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}
