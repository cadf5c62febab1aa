/** Generates the inputs of both sides once per name, so that both use the same values. */
import { makeInput } from './inputs'
import type { RunContext } from './run_context'
import type { Plan } from './run_plan'

export function inputBytes(plan: Plan, { settings, aborted }: RunContext): Map<string, Uint8Array> {
  const { seed, distribution } = settings
  const made = new Map<string, Uint8Array>()
  for (const side of [plan.unfused, plan.fused])
    for (const { name, at } of side.inputs) {
      const bytes = side.slots[at.slot]!.bytes
      if (made.has(name)) continue
      aborted()
      made.set(name, makeInput(at.view, bytes, seed + hash(name), plan.roles.get(name) ?? 'data', distribution))
    }
  return made
}

/** A small stable number for a name, so that the inputs of one run differ. */
function hash(name: string): number {
  let h = 0
  for (let i = 0; i < name.length; i++) h = (Math.imul(h, 31) + name.charCodeAt(i)) | 0
  return h & 0xffff
}
