/**
 * Marks a field of a contract that says something about a person: `.meta(personal)`. The published schema shows it as `x-personal: true`. In the event store
 * such a field is sealed under a key of the person; in logs, signals and error bodies it does not stand in the clear (invariant I16).
 */
export const personal = { 'x-personal': true } as const;
