import {
  currentMajorOf,
  failure,
  type GatewayRequest,
  readContractVersion,
  type Result,
  success,
} from '@latch/contracts';
import { type Refusal } from '@latch/http';

const contract = 'gateway-request';

/**
 * Checks the contract version that a caller names in `X-Agent-Framework-Contract` or in `payload.metadata.contract_version`. None named is the current one. Minor and
 * patch versions only add, so that only the major counts: `gateway-request-v1`, `gateway-request-v1.2`, `v1`, `1` and `1.0.0` name the same.
 */
export function checkContractVersion(
  header: string | undefined,
  metadata: GatewayRequest['payload']['metadata'],
): Result<void, Refusal> {
  const named = [
    { path: 'header X-Agent-Framework-Contract', version: header },
    { path: '$.payload.metadata.contract_version', version: metadata?.contract_version },
  ];
  const message = `must be ${contract}-v${currentMajorOf(contract)}`;
  const errors = named.flatMap(({ path, version }) =>
    version === undefined || isSpoken(version) ? [] : [{ path, message }],
  );
  return errors.length === 0
    ? success(undefined)
    : failure({ status: 422, code: 'contract.unsupported_version', errors });
}

function isSpoken(version: string): boolean {
  const named = readContractVersion(version);
  return named?.major === currentMajorOf(contract) && (named?.contract ?? contract) === contract;
}
