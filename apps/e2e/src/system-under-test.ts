import path from 'node:path';
import {
  DomainServerClient,
  IngressClient,
  personalDataOfOperator,
  readRunningState,
  SystemControl,
  Talk,
} from '@latch/cli';
import { type PersonalData, readEnvironment } from '@latch/config';
import { z } from 'zod';

const settings = z.object({
  LATCH_E2E_STATE_DIR: z
    .string({ error: 'run the end-to-end specs with `npm test -- e2e`, which starts the system for them.' })
    .describe('State folder of the system under test.'),
  LATCH_E2E_TOPIC_PREFIX: z.string().default('').describe('Prefix of its topics.'),
});

/** The running system that all end-to-end specs of one run share. */
export type SystemUnderTest = {
  readonly control: SystemControl;
  readonly ingress: IngressClient;
  readonly retail: DomainServerClient;
  readonly telecom: DomainServerClient;
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  readonly stateFolder: string;
  /** The key that its personal data is sealed with. */
  readonly personalData: PersonalData;
  /** A new conversation with an agent. */
  talkTo(agentId: 'retail_orders' | 'telecom_contas'): Talk;
};

/** @throws Error that says how to run the specs, when no system was started for them. */
export function systemUnderTest(): SystemUnderTest {
  const read = readEnvironment(settings);
  if (!read.ok) throw new Error(read.error);
  const stateFolder = read.value.LATCH_E2E_STATE_DIR;
  const state = readRunningState(stateFolder);
  if (state === undefined) throw new Error(`There is no ${path.join(stateFolder, 'running.json')}.`);
  const control = new SystemControl(stateFolder);
  const ingress = new IngressClient(control.urlOf('ingress'));
  return {
    control,
    ingress,
    retail: new DomainServerClient(control.urlOf('mcp-retail')),
    telecom: new DomainServerClient(control.urlOf('mcp-telecom')),
    brokers: state.bus?.where.split(',') ?? [],
    topicPrefix: read.value.LATCH_E2E_TOPIC_PREFIX,
    stateFolder,
    personalData: personalDataOfOperator(stateFolder),
    talkTo: (agentId) => new Talk(ingress, { agentId }),
  };
}
