/** Plans how each text of a document is coded. */
import { deflate, inflate, INFLATED_LIMIT } from './deflate'
import { graphTextOf, printAs, type GraphText, type PrintForm } from './graph_text'
import { CodeError } from './range_coder'
import type { Graph } from '../fx/graph/graph'

/** Ids are part of the format: append only. */
export const TEXT = { same: 0, patch: 1, modelled: 2, deflated: 3, graph: 4, print: 5 } as const

export type TextPlan =
  /** A text of the base. */
  | { mode: typeof TEXT.same; index: number }
  /** A text of the base whose middle is replaced. */
  | { mode: typeof TEXT.patch; index: number; prefix: number; suffix: number; middle: string }
  | { mode: typeof TEXT.modelled; text: string }
  | { mode: typeof TEXT.deflated; bytes: Uint8Array<ArrayBuffer>; size: number }
  | { mode: typeof TEXT.graph; graph: Graph; form: PrintForm; before: string; after: string }
  /** Another printed form of the graph in an earlier text, in coding order. */
  | { mode: typeof TEXT.print; index: number; form: PrintForm; before: string; after: string }

/** Text models take about 4 µs a byte; longer texts are deflated. In characters. */
const MAX_MODELLED = 64 * 1024

/**
 * @param comments false leaves out the source comments of print_readable
 * @param plain indices of texts that are not coded as graphs
 */
export async function planTexts(
  texts: readonly string[],
  base: readonly string[],
  comments: boolean,
  plain: ReadonlySet<number>,
): Promise<TextPlan[]> {
  const graphs = texts.map((text, i) => (base.includes(text) || plain.has(i) ? null : graphTextOf(text, comments)))
  const plans: TextPlan[] = []
  for (const [i, text] of texts.entries()) plans.push(await planText(text, i, base, graphs))
  return plans
}

async function planText(
  text: string,
  at: number,
  base: readonly string[],
  graphs: readonly (GraphText | null)[],
): Promise<TextPlan> {
  const same = base.indexOf(text)
  if (same >= 0) return { mode: TEXT.same, index: same }
  const own = graphs[at]
  if (own) {
    const { graph, form, before, after } = own
    const print = printAs(graph, form)
    // The print_readable of a graph holds all that its print(graph) does.
    const index = graphs.findIndex(
      (other, i) =>
        other &&
        (form.fx && !other.form.fx ? i !== at : i < at && form.fx === other.form.fx) &&
        other.graph.size === graph.size &&
        printAs(other.graph, form) === print,
    )
    if (index >= 0) return { mode: TEXT.print, index, form, before, after }
    return { mode: TEXT.graph, graph, form, before, after }
  }
  const patch = bestPatch(text, base)
  if (patch) return patch
  if (text.length <= MAX_MODELLED) return { mode: TEXT.modelled, text }
  const bytes = new TextEncoder().encode(text)
  return { mode: TEXT.deflated, bytes: await deflate(bytes), size: bytes.length }
}

/** The text of the base with the fewest differences, if at least half of it is unchanged. */
function bestPatch(text: string, base: readonly string[]): TextPlan | null {
  let best: (TextPlan & { mode: typeof TEXT.patch }) | null = null
  for (const [index, old] of base.entries()) {
    let prefix = 0
    const shorter = Math.min(text.length, old.length)
    while (prefix < shorter && text[prefix] === old[prefix]) prefix++
    let suffix = 0
    while (suffix < shorter - prefix && text[text.length - 1 - suffix] === old[old.length - 1 - suffix]) suffix++
    if (prefix + suffix < text.length / 2 || (best && prefix + suffix <= best.prefix + best.suffix)) continue
    best = { mode: TEXT.patch, index, prefix, suffix, middle: text.slice(prefix, text.length - suffix) }
  }
  return best && best.middle.length <= MAX_MODELLED ? best : null
}

/** The texts of decoded plans. */
export async function textsOf(plans: readonly TextPlan[], base: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  let left = INFLATED_LIMIT
  for (const plan of plans) {
    const text = await textOf(plan, plans, base, left)
    left -= text.length
    if (left < 0) throw new CodeError('texts that unpack to too much')
    texts.push(text)
  }
  return texts
}

/** @param limit of a deflated text, in bytes */
async function textOf(
  plan: TextPlan,
  plans: readonly TextPlan[],
  base: readonly string[],
  limit: number,
): Promise<string> {
  switch (plan.mode) {
    case TEXT.same:
      return itemOf(base, plan.index)
    case TEXT.patch: {
      const old = itemOf(base, plan.index)
      if (plan.prefix + plan.suffix > old.length) throw new CodeError('a change outside its text')
      return old.slice(0, plan.prefix) + plan.middle + old.slice(old.length - plan.suffix)
    }
    case TEXT.modelled:
      return plan.text
    case TEXT.deflated: {
      const inflated = await inflate(plan.bytes, Math.min(plan.size, limit))
      if (!inflated.ok) throw new CodeError(`a deflated text that is ${inflated.why}`)
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(inflated.bytes)
    }
    case TEXT.graph:
      return plan.before + printAs(plan.graph, plan.form) + plan.after
    case TEXT.print: {
      const other = plans[plan.index]
      if (other?.mode !== TEXT.graph) throw new CodeError('a print of a text that is no graph')
      return plan.before + printAs(other.graph, plan.form) + plan.after
    }
  }
}

function itemOf(list: readonly string[], index: number): string {
  const item = list[index]
  if (item === undefined) throw new CodeError('a text that the base lacks')
  return item
}
