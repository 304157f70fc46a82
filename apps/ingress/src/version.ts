/** The version of this service, as `/version`, the metrics and the OpenAPI document name it; a test compares it with package.json. */
export const ingressVersion = '0.1.0';
