import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** One file of the page, as it is sent. */
export type PageFile = { readonly type: string; readonly text: string };

/** The files of the page by name; they are read once, at the start. */
export type Page = ReadonlyMap<string, PageFile>;

/** Beside the sources and the built code alike. */
const folder = path.join(import.meta.dirname, '../page');

const files = {
  'index.html': 'text/html; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'dom.js': 'text/javascript; charset=utf-8',
  'reads.js': 'text/javascript; charset=utf-8',
  'views.js': 'text/javascript; charset=utf-8',
} as const;

/** Reads the page. @throws Error when a file of it is missing: a broken image must not start. */
export async function loadPage(): Promise<Page> {
  const entries = Object.entries(files).map(async ([name, type]): Promise<[string, PageFile]> => {
    return [name, { type, text: await readFile(path.join(folder, name), 'utf8') }];
  });
  return new Map(await Promise.all(entries));
}

/** Whether a path is of the page, which everybody may load: it holds no data. */
export function isOfPage(path: string): boolean {
  return path === '/' || Object.keys(files).some((name) => path === `/page/${name}`);
}

/** What a browser may do with the page: run its own script, ask its own server, and nothing else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
