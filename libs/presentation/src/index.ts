export { checkEvidence, type Evidence } from './check-evidence.ts';
export { composeReply } from './compose-reply.ts';
