/** Opens the match as a timeline, where there is one. */
export function StepThrough(_: { pass: string; entry: number; node: string | null }) {
  return null
}
