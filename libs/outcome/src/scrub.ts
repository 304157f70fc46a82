import { limits } from './limits.ts';

/**
 * Makes a foreign error text fit to leave the process (invariant I16): stack traces are cut off, secrets replaced by `[redacted]`, control
 * characters dropped, white space folded, the length bounded to 500 characters. Takes time linear in the first 4,000 characters.
 */
export function scrub(text: string): string {
  const head = text.slice(0, limits.errorChars);
  const lines = head.split(/\r\n|\r|\n/);
  const start = traceStart(lines);
  const kept = start === 0 ? afterTrace(lines) : lines.slice(0, start).join(' ');
  const visible = kept
    .replace(controls, ' ')
    .replace(/\s{1,200}/g, ' ')
    .trim();
  return clip(redact(visible));
}

const controls = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A line that begins a stack trace, in the words of JavaScript, Java, Python, .NET, Go and PHP. */
const traceLine =
  /^\s{0,40}(?:at\s\S{1,300}(?:\s?\(|:\d{1,7}|$)|Traceback \(most recent call last\)|File ".{1,300}", line \d|Caused by:|goroutine \d{1,9} \[|#\d{1,4}\s|\.{3} \d{1,6} more|Stack trace:|stack backtrace:)/i;

function traceStart(lines: readonly string[]): number {
  const first = lines.findIndex((line) => traceLine.test(line));
  return first === -1 ? lines.length : first;
}

/** Python writes the reason below the trace: the last line that is no part of it. */
function afterTrace(lines: readonly string[]): string {
  return lines.filter((line) => !traceLine.test(line) && /^\S/.test(line)).at(-1) ?? '';
}

const secrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[^-]{0,4000}(?:-----END [A-Z ]{1,40}-----)?/g, '[redacted]'],
  [/\b(bearer|basic|digest)\s+[\w.~+/=-]{6,2000}/gi, '$1 [redacted]'],
  [/\beyJ[\w-]{5,2000}(?:\.[\w-]{1,2000}){1,2}/g, '[redacted]'],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|npm|hf)[-_][\w-]{10,300}/g, '[redacted]'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '[redacted]'],
  [/\b(\w{2,20}:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}@/g, '$1[redacted]@'],
  [
    /\b([\w-]{0,30}(?:password|passwd|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|authorization|credential|senha|contrase(?:n|ñ)a)s?)("?\s{0,3}[:=]\s{0,3}"?)(?!\[redacted\]|(?:bearer|basic|digest) \[)[^\s"',;&}]{1,2000}/gi,
    '$1$2[redacted]',
  ],
];

function redact(text: string): string {
  return secrets.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

/** Cuts on a code point, so that no half of a surrogate pair is left. */
function clip(text: string): string {
  if (text.length <= limits.messageChars) return text;
  return `${text.slice(0, limits.messageChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
