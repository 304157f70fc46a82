import { failure, type GatewayRequest, type InputProblem, type Result, success } from '@latch/contracts';
import { type Principal, type Refusal, userOf } from '@latch/http';

/**
 * What a user may say of itself. The rest of a payload, such as `business_context`, is what a channel knows of its user; from the user it would be a claim to be
 * somebody's customer. So would `tool_arguments`, which count more than what is known of the customer.
 */
const ofUser = ['message', 'session_id', 'message_id', 'user_id', 'inputs', 'metadata'];
const ofUserInMetadata = ['request_id', 'contract_version', 'locale'];

/**
 * Whose words a request holds. A credential that speaks for nobody else speaks as its own user (so that nobody says yes for another, invariant I4), and says
 * nothing that only a channel can know.
 *
 * @returns the user; undefined where the channel does not tell users apart.
 */
export function speakerOf(
  principal: Pick<Principal, 'userId'>,
  { payload }: Pick<GatewayRequest, 'payload'>,
): Result<string | undefined, Refusal> {
  const user = userOf(principal, payload.user_id);
  if (!user.ok || principal.userId === null) return user;
  const errors = [
    ...strangers(payload, { known: ofUser, at: '$.payload' }),
    ...strangers(payload.metadata ?? {}, { known: ofUserInMetadata, at: '$.payload.metadata' }),
  ];
  return errors.length === 0 ? success(user.value) : failure({ status: 403, code: 'auth.forbidden', errors });
}

function strangers(
  of: object,
  { known, at }: { readonly known: readonly string[]; readonly at: string },
): readonly InputProblem[] {
  const names = Object.keys(of).filter((name) => !known.includes(name));
  return names.map((name) => ({ path: `${at}.${name}`, message: 'needs a credential that speaks for others' }));
}
