import { StepThrough as StepButton } from '../steps/StepThrough'

/** Opens the match as a timeline, where there is one. */
export function StepThrough({ pass, entry, node }: { pass: string; entry: number; node: string | null }) {
  return node === null ? null : <StepButton of={{ pass, entry, node }} />
}
