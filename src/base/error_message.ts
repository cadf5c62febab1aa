/** The message of a thrown value: an Error's own, or the value as text. */
export const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e))

/** Why a text is not valid JSON, without the part that V8 quotes: the file may be a link from a checkout to another file. */
export const jsonFault = (e: unknown): string =>
  messageOf(e).replace(/^Unexpected token [^]* is not valid JSON$/, 'Unexpected token')
