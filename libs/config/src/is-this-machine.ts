/** Whether a host, as an address names it, is reached from this machine alone. An IPv6 address may stand in brackets. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
