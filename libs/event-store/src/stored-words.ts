/**
 * Words that stored events hold again and again: names of fields with their colon, and values. A stored event names them by their place here, so that this list only
 * ever grows at its end, up to 256.
 */
export const storedWords: readonly string[] = words();

function words(): string[] {
  const fields =
    '~ answeredAt at call canRetry causationId channel code configDigest confirmation confirmationMessage confirmedAt corrections deadlineAt detail eligible endedAt ' +
    'endedInTurn error eventId expiresAt idempotencyKey input inputs intent invocationId items lineage message messageId missing nextCheckAt outcome parameter parkedAt ' +
    'preValidation proposal proposalId purpose reason rev route rule slot slots sources startedAt status subject text tool toolSchemaHash traceId transactionId turnId ' +
    'type why erasedAt principal rejected unread userId values';
  const types =
    'TurnReceived DeadlineReached InputIgnored AnswerRefused ClarificationAsked HandedOff ResumeOffered InconsistencyFound InconsistencyCleared NewsKept TurnAnswered ' +
    'TransactionStarted ParametersCollected BusinessContextReceived ParameterReopened ParameterRequested ConfirmationRequested ProposalAmended ApprovalOutdated ' +
    'TransactionParked TransactionResumed PreValidationRequested PreValidated UserConfirmed UserDeclined ExecutionStarted ToolResultReceived OutcomeBecameUnknown ' +
    'ReconciliationStarted ReconciliationFailed TransactionSetAside TransactionEnded PersonalDataErased UserSpoke ToolResultArrived DeadlinePassed';
  const values =
    'web whatsapp voice IDLE COLLECTING_PARAMETERS PRE_VALIDATION AWAITING_CONFIRMATION EXECUTING OUTCOME_UNKNOWN COMPLETED CANCELLED EXPIRED FAILED INTERRUPTED ' +
    'SUCCESS PARTIAL_SUCCESS FAILURE UNKNOWN new_intent fills_parameter confirms declines unclear changes resumes abandons missing invalid first renewed text inputs ' +
    'business_context pre_validation execution reconciliation executed declined expired failed erase retention domain_word amended abandoned schema_changed no_answer_in_time not_eligible tool_failed validator_failed ' +
    'outcome_pending no_effect_found result_not_awaited repeated_turn other_user';
  return [
    ...fields.split(' ').map((field) => `"${field}":`),
    ...[...types.split(' '), ...values.split(' ')].map((value) => `"${value}"`),
  ];
}
