import { failure, type GatewayRequest, type Result, success } from '@latch/contracts';
import { type Refusal } from './refusal.ts';

/** The major version of GatewayRequest that is spoken here. */
const supportedMajor = 1;

/**
 * Checks the contract version that a caller names in `X-Agent-Framework-Contract` or in `payload.metadata.contract_version`. None named is the current one. Minor and
 * patch versions only add, so that only the major counts.
 */
export function checkContractVersion(
  header: string | undefined,
  metadata: GatewayRequest['payload']['metadata'],
): Result<void, Refusal> {
  const named = [
    { path: 'header X-Agent-Framework-Contract', version: header },
    { path: '$.payload.metadata.contract_version', version: metadata?.contract_version },
  ];
  const errors = named.flatMap(({ path, version }) =>
    version === undefined || isSupported(version) ? [] : [{ path, message: 'must be gateway-request-v1' }],
  );
  return errors.length === 0
    ? success(undefined)
    : failure({ status: 422, code: 'contract.unsupported_version', errors });
}

/** `gateway-request-v1`, `gateway-request-v1.2`, `v1`, `1` and `1.0.0` name the same major. */
function isSupported(version: string): boolean {
  const major = /^(?:gateway-request-)?v?(\d{1,6})(?:\.\d{1,6}){0,2}$/.exec(version.trim())?.[1];
  return Number(major) === supportedMajor;
}
