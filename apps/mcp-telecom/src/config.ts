import { domainServerSettings } from '@latch/mcp-server';

/** Everything that can be set about the sample telecom server. */
export const telecomSettings: ReturnType<typeof domainServerSettings> = domainServerSettings(9101);
