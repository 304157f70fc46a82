import { type ConfigProblem } from './config-problem.ts';

/** What became of changed files. `files` and `inUse` are digests of what they say. */
export type ConfigReport =
  | { readonly kind: 'applied'; readonly files: string }
  | {
      readonly kind: 'rejected';
      readonly files: string;
      readonly inUse: string;
      readonly problems: readonly ConfigProblem[];
    };
