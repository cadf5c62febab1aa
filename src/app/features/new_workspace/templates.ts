/** Workspaces to begin with: Python and the graph on which it fires. */
import type { TextFile, Workspace } from '../../../workspace/types'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import graph from './templates/graph.txt?raw'
import handler from './templates/handler.py?raw'
import replacement from './templates/replacement.py?raw'
import tests from './templates/test_replacement.py?raw'
import vllmPass from './templates/vllm_pass.py?raw'

export interface Template {
  id: string
  title: string
  description: string
  /** Empty: the workspace begins with the graph that the user pastes. */
  files: readonly TextFile[]
}

export const TEMPLATES: readonly Template[] = [
  { id: 'empty', title: 'Empty', description: 'Paste a graph, then make a pattern of nodes that you pick.', files: [] },
  {
    id: 'replacement',
    title: 'Search and replacement',
    description: 'Two functions and register_replacement.',
    files: [{ name: 'replacement.py', text: replacement }],
  },
  {
    id: 'handler',
    title: 'Handler',
    description: 'A PatternExpr and a function that edits the graph, with register_graph_pattern.',
    files: [{ name: 'handler.py', text: handler }],
  },
  {
    id: 'vllm',
    title: 'vLLM pass',
    description: 'A class that registers its patterns and applies them.',
    files: [{ name: 'vllm_pass.py', text: vllmPass }],
  },
  {
    id: 'tests',
    title: 'Unit test',
    description: 'The search and replacement, with tests that count matches.',
    files: [
      { name: 'replacement.py', text: replacement },
      { name: 'test_replacement.py', text: tests },
    ],
  },
]

/** @param name empty: the template's title */
export function workspaceOf({ id, title, files }: Template, name: string): Workspace {
  const chosen = name.trim()
  if (id === 'empty') return { ...EMPTY_WORKSPACE, ...(chosen !== '' && { name: chosen }) }
  return {
    ...EMPTY_WORKSPACE,
    name: chosen || title,
    graph: { name: 'graph.txt', text: graph },
    files: files.map((f) => ({ ...f })),
  }
}
