/**
 * The version of this build, the same for all its services: in `/version`, in the metrics, in the published API documents. A test compares it with the root
 * package.json.
 *
 * @example '0.1.0'
 */
export const platformVersion = '0.1.0';
