import { domainServerSettings } from '@latch/mcp-server';

/** Everything that can be set about the sample retail server. */
export const retailSettings: ReturnType<typeof domainServerSettings> = domainServerSettings(9102);
