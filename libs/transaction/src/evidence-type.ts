/** The name under which a stored fact is shown outside: `ConfirmationRequested` is `IC.CONFIRMATION_REQUESTED`. `evidenceCatalogue` lists them. */
export function evidenceType(type: string): string {
  return `IC.${type.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}`;
}
