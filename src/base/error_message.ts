/** The message of a thrown value: an Error's own, or the value as text. */
export const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e))
