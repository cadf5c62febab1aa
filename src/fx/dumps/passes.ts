/** Orders dumps of single passes (depyf, vLLM's debug_dump_path, vllm_post_grad artifacts) as the pipeline that they are. */
import type { DumpGraph } from './types'

/** What a dump's name says of a pass. */
export interface PassName {
  /** The pass's place; null if the name has none. */
  order: number | null
  pass: string
  when: 'before' | 'after'
}

const NAME =
  /(?:^|[./ _-])(?:vllm_)?post_grad\.(?:(\d+)\.)?([A-Za-z_]\w*?)(?:\.(before|after))?(?:[._]\d+)?(?:\.\w{1,5})?$/
const PAIR = /(?:^|\/)(?:(\d+)[._ -])?([A-Za-z_][\w.]*?)[._ -](before|after)(?:[._]\d+)?(?:\.\w{1,5})?$/i
const LEAD = /(?:^|\/)(before|after)[._ -](?:(\d+)[._ -])?([A-Za-z_][\w.]*?)(?:\.\w{1,5})?$/i

/** The pass of a dump's title; null for a dump of no pass. A vLLM artifact without `before` is the graph after its pass. */
export function passName(title: string): PassName | null {
  if (/_graph$/.test(title)) return null
  const vllm = NAME.exec(title)
  if (vllm) return { order: numberOf(vllm[1]), pass: vllm[2]!, when: vllm[3] === 'before' ? 'before' : 'after' }
  const pair = PAIR.exec(title)
  if (pair) return { order: numberOf(pair[1]), pass: pair[2]!, when: whenOf(pair[3]!) }
  const lead = LEAD.exec(title)
  return lead && { order: numberOf(lead[2]), pass: lead[3]!, when: whenOf(lead[1]!) }
}

/**
 * The stages of a pipeline: the graph before its first pass, and the graph after each; null where fewer than two dumps are
 * of passes. A graph before a pass that equals the one after the pass before it counts once. Dumps of no pass are left out,
 * except before_post_grad_graph, which precedes vLLM's passes.
 */
export function pipelineOf(graphs: readonly DumpGraph[]): DumpGraph[] | null {
  const named = graphs.flatMap((graph, at) => {
    const name = passName(graph.title)
    return name ? [{ graph, at, ...name }] : []
  })
  if (named.length < 2) return null
  const place = new Map<string, number>()
  for (const n of named) if (!place.has(n.pass)) place.set(n.pass, n.order ?? n.at)
  named.sort(
    (a, b) =>
      (a.order ?? place.get(a.pass)!) - (b.order ?? place.get(b.pass)!) ||
      (a.when === b.when ? a.at - b.at : a.when === 'before' ? -1 : 1),
  )
  const [first] = named
  const group = first!.graph.group
  const start =
    first!.when === 'after'
      ? graphs.findLast((g) => g.title === 'before_post_grad_graph' && g.group === group)
      : undefined
  const stages: DumpGraph[] = start ? [start] : []
  for (const { graph, when, pass, order } of named) {
    if (when === 'before' && stages.at(-1)?.text === graph.text) continue
    const title = `${order === null ? '' : `${order}.`}${pass}.${when}`
    stages.push({ ...graph, title })
  }
  return stages
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
const whenOf = (text: string): PassName['when'] => (text.toLowerCase() === 'before' ? 'before' : 'after')
