/** Orders dumps of single passes (depyf, vLLM's debug_dump_path, vllm_post_grad artifacts) into a pipeline. */
import type { DumpGraph } from './types'

/** The pass and position that a dump's name gives. */
export interface PassName {
  /** The pass's position; null if the name has none. */
  order: number | null
  pass: string
  when: 'before' | 'after'
}

const NAME =
  /(?:^|[./ _-])(?:vllm_)?post_grad\.(?:(\d+)\.)?([A-Za-z_]\w*?)(?:\.(before|after))?(?:[._]\d+)?(?:\.\w{1,5})?$/
const PAIR = /(?:^|\/)(?:(\d+)[._ -])?([A-Za-z_][\w.]*?)[._ -](before|after)(?:[._]\d+)?(?:\.\w{1,5})?$/i
const LEAD = /(?:^|\/)(before|after)[._ -](?:(\d+)[._ -])?([A-Za-z_][\w.]*?)(?:\.\w{1,5})?$/i

/** The pass named in a dump's title; null if it names none. A vLLM artifact without `before` is the graph after its pass. */
export function passName(title: string): PassName | null {
  if (/_graph(?:_\d+)?(?:\.\w{1,5})?$/.test(title)) return null
  const vllm = NAME.exec(title)
  if (vllm) return { order: numberOf(vllm[1]), pass: vllm[2]!, when: vllm[3] === 'before' ? 'before' : 'after' }
  const pair = PAIR.exec(title)
  if (pair) return { order: numberOf(pair[1]), pass: pair[2]!, when: whenOf(pair[3]!) }
  const lead = LEAD.exec(title)
  return lead && { order: numberOf(lead[2]), pass: lead[3]!, when: whenOf(lead[1]!) }
}

/**
 * The stages of the pipelines, one compilation after another: the graph before the first pass, and the graph after each pass; null
 * if fewer than two dumps belong to passes. A graph before a pass that equals the graph after the previous pass counts once. Dumps
 * that belong to no pass are left out, except before_post_grad_graph, which precedes vLLM's passes.
 */
export function pipelineOf(graphs: readonly DumpGraph[]): DumpGraph[] | null {
  const named = graphs.flatMap((graph, at) => {
    const name = passName(graph.title)
    return name ? [{ graph, at, of: compilationOf(graph), ...name }] : []
  })
  if (named.length < 2) return null
  const compilations = [...new Set(named.map((n) => n.of))]
  return compilations.flatMap((of) => {
    const stages = stagesOf(named.filter((n) => n.of === of))
    const [first] = stages
    if (first?.when !== 'after') return stages.map((s) => s.graph)
    const start = graphs.findLast((g) => START.test(g.title) && compilationOf(g) === of)
    const begin = start && { ...start, group: groupOf(start), title: 'before_post_grad_graph' }
    return [...(begin ? [begin] : []), ...stages.map((s) => s.graph)]
  })
}

const START = /(?:^|\/)before_post_grad_graph(?:_\d+)?(?:\.\w{1,5})?$/

/** The compile id, or a file's folder. */
const compilationOf = ({ group, title }: DumpGraph): string => group ?? title.replace(/[^/]*$/, '')

const groupOf = (graph: DumpGraph): string | null => compilationOf(graph).replace(/\/$/, '') || null

interface PassDump extends PassName {
  graph: DumpGraph
  /** The index among all graphs. */
  at: number
}

/** The dumps of one compilation in the order of its passes. */
function stagesOf(dumps: readonly PassDump[]): PassDump[] {
  const place = new Map<string, number>()
  for (const n of dumps) if (!place.has(n.pass)) place.set(n.pass, n.order ?? n.at)
  const sorted = [...dumps].sort(
    (a, b) =>
      (a.order ?? place.get(a.pass)!) - (b.order ?? place.get(b.pass)!) ||
      (a.when === b.when ? a.at - b.at : a.when === 'before' ? -1 : 1),
  )
  const stages: PassDump[] = []
  for (const dump of sorted) {
    const { graph, when, pass, order } = dump
    if (when === 'before' && stages.at(-1)?.graph.text === graph.text) continue
    stages.push({
      ...dump,
      graph: { ...graph, group: groupOf(graph), title: `${order === null ? '' : `${order}.`}${pass}.${when}` },
    })
  }
  return stages
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
const whenOf = (text: string): PassName['when'] => (text.toLowerCase() === 'before' ? 'before' : 'after')
