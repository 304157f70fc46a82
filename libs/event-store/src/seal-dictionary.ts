/**
 * The first dictionary: words that events, snapshots and answers hold again and again, for the compressor: with them an event of 600 bytes takes a tenth. The most frequent stand
 * last, where they are cheapest. What was sealed can only be opened with the very same bytes, so this text never changes; another one needs a flag of its own.
 */
const firstDictionary: Buffer = Buffer.from(
  [
    '"customer_key":"contract_key":"interaction_key":"account_key":"resource_key":"session_key":',
    '"attempted":"partialResults":"alternatives":"errorCategory":"transient""validation""business""permission""isRetryable":true,"message":',
    '"structuredContent":{"results":[{"success":true,"ok":true,"protocol":"reason":"secondary_error":null,"partial_success":false,',
    '"attempts":[{"number":1,"started_at":"2026-ended_at":"2026-outcome":{"kind":"result","value":{"content":[{"type":"text","text":',
    '"contract_version":"channel-response-v1","guardrails":[],"judges":[],"route":null,"intent":"missing_parameters":[],"proposal_id":null,',
    '"transaction_status":"COLLECTING_PARAMETERS""AWAITING_CONFIRMATION""EXECUTING""COMPLETED","body_digest":"turn_id":"message_id":"transaction_id":',
    '"tool_name":"latency_ms":"cache":{"hit":false,"ttl_seconds":"empty":false,"note":null,"multi_item_status":"SUCCESS","PARTIAL_SUCCESS","FAILED",',
    '"metadata":{"multi_item":{"items_count":"items_succeeded_count":"items_failed_count":"items_unknown_count":0,"primary_tool":"status":',
    '"stateVersion":1,"transaction":null,"parked":[],"unresolved":[],"last":null,"resumeOffer":null,"lastTurn":{"turnId":"clarifications":0,"untold":[],"inconsistency":null,',
    '"corrections":[],"preValidation":null,"evidence":[],"lineage":null,"startedAt":"2026-deadlineAt":"2026-configDigest":"rev":1,"userId":"anonymous","businessContext":{},',
    '"invocationId":"purpose":"execution","idempotencyKey":"proposalId":"toolSchemaHash":null,"rejected":[],"principal":"expiresAt":"2026-values":[{"name":',
    '"input.businessContext":{},"input.inputs":null,"input.sources":{"context":{},"metadata":{},"toolArguments":{}},"input.text":"quero cancelar o pedido ',
    '"input.understanding":{"abandons":false,"change":null,"confirmation":"unclear","corrects":false,"hasDomainWord":false,"intent":null,"invalid":{},',
    '"readings":[{"rule":"extract.pattern","runnerUp":null,"span":[0,"text":"resumes":false,"retriesFailed":false,"values":{}},"input.userId":"',
    '"intent":{"intent":"isClear":true,"runnerUp":{"intent":"score":0.9,"tool":"values":{}},"sources":{"text":"inputs""arguments":{"items":[{"id":"label":"outcome":"succeeded","reason":null',
    '"slots":[{"kind":"parameter":"label":"',
  ].join(''),
);

const items =
  '"rejected":[],"items":[{"id":"","label":"","item_key":"","outcome":"failed","reason":"","error":null},{"id":"","label":"","outcome":"succeeded","protocol":"20';

/** What of events is personal, in the order of canonical JSON. */
const ofEvents = [
  '"errorCategory":"transient","isRetryable":false,"message":"","error":{"attempted":"","partialResults":[{"secondary_error":null,',
  '"call.turn":{"said":[],"turnId":"call.arguments":{"items":[{"name":""},{"name":""}],"call.items":[{"id":"","label":""}],"confirmation.userId":"',
  '{"proposal.arguments":{"items":[{"proposal.items":[{"id":"","label":""}],"proposal.principal":"","proposal.rejected":[],"proposal.values":[]}{"name":"","label":"","value":"',
  '{"preValidation.resolvedArguments":{"preValidation.reason":"corrections":[],"values":{"{"userId":"',
  '{"input.result":{"data":{"eligible":true,"transaction_decision":{"resolved_arguments":{},"invocation_id":"","latency_ms":1,"ok":true,"partial_success":false,',
  '"purpose":"execution","pre_validation","outcome":"SUCCESS","PARTIAL_SUCCESS","FAILURE","tool_name":"","transaction_id":"',
  '{"slots":[{"canRetry":false,"data":{},"error":null,"isBeingChecked":false,"isEmpty":false,"isReadOnly":false,',
  items,
  '"}],"kind":"outcome","note":null,"outcome":"SUCCESS","secondaryError":null,"toolLabel":"","values":[]}]}{"slots":[{"kind":"help","options":["',
  '{"slots":[{"items":[{"label":"","kind":"ask_confirmation","message":null,"rejected":[],"toolLabel":"o cancelamento d","values":[],"why":"first"}]}"unclear"}]}',
  '{"slots":[{"detail":null,"kind":"ask_parameter","parameter":{"label":"","name":"","userPrompt":""},"toolLabel":"","why":"missing"}]}',
  '{"input.businessContext":{},"input.inputs":{"input.sources":{"context":{},"metadata":{},"toolArguments":{}},"input.text":"quero cancelar o pedido ","input.understanding":{"abandons":false,"change":null,"confirmation":"yes","unclear","corrects":false,',
  '"hasDomainWord":true,false,"intent":null,{"intent":"","isClear":true,"runnerUp":{"intent":"","score":0.4},"score":1,"tool":"","values":{}},"invalid":{},"readings":[{"rule":"yes-no.neither","runnerUp":null,"span":null,"text":""}',
  ',{"rule":"intent.example","runnerUp":"extract.text","runnerUp":null,"span":[0,"text":""}],"resumes":false,"retriesFailed":false,"values":{"values":{}},"input.userId":"',
];

/** Envelopes with answers, as they are told and remembered. */
const ofMessages = [
  '"errorCategory":"transient","isRetryable":false,"message":"","arguments":{"business_context":{},"metadata":{"tool_schema_hash":null,"expires_at":"","idempotency_key":"',
  'Pronto, está feito: Posso ajudar com:\\n- Você confirma? Não entendi. Qual é o protocolo concluído, protocolo \\n- ',
  '{"event_type":"NOC.","severity":"warning"{"event_type":"IC.AGENT_COMPLETED","timestamp":"","tenant_id":"default","agent_id":"","session_id":"","trace_id":"","payload":{"channel":"web","session_id":"default:',
  '","text":"","metadata":{"tenant_id":"default","agent_id":"","contract_version":"channel-response-v1","trace_id":"","route":null,"intent":null,"guardrails":[],"judges":[],"turn_id":"","body_digest":"","message_id":"","transaction_id":null,"',
  '"transaction_status":"AWAITING_CONFIRMATION","COLLECTING_PARAMETERS","EXECUTING","COMPLETED","IDLE","missing_parameters":[],"proposal_id":null,"outcome":null,"SUCCESS",',
  items,
  '"}],"items":[],"error":null}},"event_id":"","contract_version":"channel-response-v1","conversation_key":"default:","transaction_id":null,"message_id":"","causation_id":"","producer":"orchestrator","severity":"info"}',
];

/** Calls, what they brought, and what is shown of them. */
const ofCalls = [
  '"errorCategory":"transient","isRetryable":false,"message":"","kind":"refused","error":{"code":"","isError":false,"_meta":{"workflow":{"arguments":{"items":[{"name":"","label":"","reason":null,"protocol":null',
  '{"invocation_id":"","invocation":{"tenant_id":"default","agent_id":"","tool_name":"","arguments":{},"metadata":{"trace_id":""},"contract_version":"tool-invocation-v1","invocation_id":"","transaction_id":"","rev":1,"purpose":"execution","operation_type":"transactional",',
  '"proposal_id":null,"idempotency_key":"","items":[{"id":"","label":"","item_key":""}],"channel":"web","tool_schema_hash":null,"expires_at":"20"},"outcome":{"kind":"result","result":{"content":[{"type":"text","text":"{',
  '"structuredContent":{"results":[{"items":[{"id":"","label":"","outcome":"succeeded","protocol":"20"}]}},"latency_ms":1,"attempts":[{"number":1,"started_at":"","ended_at":"","outcome":{"kind":"result","result":{"structuredContent":{',
  '{"contract_version":"tool-invocation-v1","tenant_id":"default","agent_id":"","tool_name":"","arguments":{},"business_context":{},"metadata":{"trace_id":""},"invocation_id":"","transaction_id":"","rev":1,"purpose":"execution","pre_validation","operation_type":"transactional","read_only","proposal_id":null,"',
  '"items":[],"items":[{"id":"","label":"","item_key":""},"tool_schema_hash":null,"expires_at":"","channel":"web","idempotency_key":""}',
];

/** Snapshots of conversations. */
const ofStates = [
  '{"tenantId":"default","agentId":"","sessionId":"","conversationKey":"default:","stateVersion":1,"transaction":null,"parked":[],"unresolved":[],"last":null,{"status":"AWAITING_CONFIRMATION","COLLECTING_PARAMETERS","EXECUTING","COMPLETED","reason":"executed","detail":null,"outcome":"SUCCESS","error":null,',
  items,
  '"}],"error":null,"proposal":null,"call":{"invocationId":"","purpose":"execution","tool":"","arguments":{"items":[{"name":""}]},"items":[{"id":"","label":""}],"rev":1,"proposalId":"","idempotencyKey":"","startedAt":"","expiresAt":"","deadlineAt":"","traceId":"","turn":null},"confirmation":{"proposalId":"","rev":1,"turnId":"","userId":"","confirmedAt":""},',
  '"endedInTurn":"","endedAt":"","id":"","tool":"","intent":"","userId":"","rev":1,"configDigest":"","arguments":{},"businessContext":{},"corrections":[],"preValidation":null,{"invocationId":"","tool":"","eligible":true,"status":null,"reason":null,"resolvedArguments":{},"confirmationMessage":null},',
  '"evidence":[],{"invocationId":"","purpose":"pre_validation","tool":"","ok":true,"outcome":"SUCCESS","items":[],"error":null,"receivedAt":""}],"lineage":null,"startedAt":""},"resumeOffer":null,"lastTurn":{"turnId":"","messageId":"","channel":"web","userId":"","text":"","intent":null,"route":null,"receivedAt":""},"clarifications":0,"untold":[],"inconsistency":null}',
];

/** All dictionaries, by the number that a sealed value carries. The first one sealed everything until ids became bytes; no value is sealed with it any more. */
export const sealDictionaries: readonly Buffer[] = [
  firstDictionary,
  ...[ofEvents, ofMessages, ofCalls, ofStates].map((words) => Buffer.from(words.join(''))),
];

/** The number of the dictionary that suits a field. */
export function dictionaryFor(field: string): number {
  if (field.startsWith('event.')) return 1;
  if (field === 'state') return 4;
  return field === 'response' || field === 'outgoing' ? 2 : 3;
}
