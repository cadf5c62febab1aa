/** A workspace's several graphs. */
import { openPatternsByGraph, removeShownGraph, stepGraph } from './graphs'
import { useWorkspace } from '../../session/workspace_store'
import type { Command } from '../../commands/commands'

const several = (): boolean => useWorkspace.getState().workspace.graphs !== undefined

export const GRAPH_COMMANDS: readonly Command[] = [
  {
    id: 'graph-next',
    title: 'Next graph of the workspace',
    group: 'Graph',
    keys: ['J'],
    enabled: several,
    run: () => stepGraph(1),
  },
  {
    id: 'graph-previous',
    title: 'Previous graph of the workspace',
    group: 'Graph',
    keys: ['K'],
    enabled: several,
    run: () => stepGraph(-1),
  },
  {
    id: 'graph-remove',
    title: 'Remove this graph from the workspace',
    group: 'Graph',
    enabled: several,
    run: removeShownGraph,
  },
  {
    id: 'patterns-by-graph',
    title: 'Patterns by graphs: which fires on which',
    group: 'Panels',
    keys: ['T'],
    enabled: several,
    run: openPatternsByGraph,
  },
]
