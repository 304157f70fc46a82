import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Resolves a host at the moment of connecting and refuses addresses at which no MCP server can be, above all the metadata services of clouds. A name
 * that is changed after the configuration was checked cannot lead there (DESIGN section 6, "address check at connect time").
 */
export function guardedLookup(host: string, options: LookupOptions, callback: Callback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const refused = addresses.find(({ address }) => isRefusedAddress(address));
    if (refused !== undefined) return callback(refusal(host, refused.address), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
}

/** Whether no connection is made to an address: link-local (cloud metadata), unspecified, multicast. A name is none. */
export function isRefusedAddress(address: string): boolean {
  const plain = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;
  const version = isIP(plain);
  return version !== 0 && refused.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

const refused = new BlockList();
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('0.0.0.0', 8, 'ipv4');
refused.addSubnet('224.0.0.0', 4, 'ipv4');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');
refused.addAddress('::', 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');

function refusal(host: string, address: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} resolves to ${address}, where no MCP server can be.`), {
    code: 'origin_not_allowed',
  });
}
