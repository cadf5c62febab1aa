/** A record of a capture with a field of the wrong form; the message continues `The attempt record …`. */
export class BadRecord extends Error {}
