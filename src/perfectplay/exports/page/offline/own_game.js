// In a single file nothing is saved and nothing is checked.

/** Does nothing. */
export function showOwn() {}
