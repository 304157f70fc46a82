export { checkEvidence, type Evidence, evidenceOf } from './check-evidence.ts';
export { composeReply } from './compose-reply.ts';
