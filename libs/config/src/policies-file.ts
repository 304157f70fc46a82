import { z } from 'zod';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { type PolicyEntry, policyShape, refuseTwoConfirmations, toPolicyEntry } from './policy-keys.ts';
import { type YamlFile } from './yaml-file.ts';

/** `tool_policies.yaml`: what holds for every tool, and what holds for one. */
export type PoliciesFile = {
  readonly defaults: PolicyEntry;
  readonly policies: Readonly<Record<string, PolicyEntry>>;
};

/** Reads `tool_policies.yaml`: kind of operation, confirmation, required parameters, pre-validation (seeds/000 section 2). */
export function readPoliciesFile(file: YamlFile): Parsed<PoliciesFile> {
  return parseSection(file, PoliciesSchema);
}

const Policy = section({ description: z.string().optional(), ...policyShape })
  .superRefine(refuseTwoConfirmations)
  .transform(toPolicyEntry);

const PoliciesSchema = section({
  version: z.union([z.number(), z.string()]).optional(),
  defaults: Policy.default({}),
  tool_policies: z.record(Name, Policy).default({}),
}).transform(({ defaults, tool_policies }): PoliciesFile => ({ defaults, policies: tool_policies }));
