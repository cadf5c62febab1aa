/** A form of `Type: message`, and the sentence for it. */
export type Mistake = readonly [form: RegExp, sentence: string | ((...groups: string[]) => string)]
