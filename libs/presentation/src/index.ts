export { checkEvidence, type Evidence } from './check-evidence.ts';
export { composeReply } from './compose-reply.ts';
export { mostEntries } from './render-data.ts';
