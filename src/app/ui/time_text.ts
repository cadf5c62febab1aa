/** A point in time in the reader's words. */
export const timeText = (at: number): string =>
  new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium' })
