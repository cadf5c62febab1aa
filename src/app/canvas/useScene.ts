import { messageOf } from '../../base/error_message'
import { useEffect, useRef, useState } from 'react'
import type { DrawnGraph } from '../fold/types'
import { createLayoutClient, type LayoutClient } from '../layout'
import { buildScene, type Scene } from './scene'

export interface SceneState {
  /** The last drawn scene; that of an older graph while `pending`. */
  scene: Scene | null
  layoutMs: number
  pending: boolean
  error: string | null
}

/** Lays the graph out in a worker and keeps the last drawing until the new one is ready. */
export function useScene(graph: DrawnGraph, aspect: number | null): SceneState {
  const client = useRef<LayoutClient | null>(null)
  client.current ??= createLayoutClient()
  const [state, setState] = useState<SceneState>({ scene: null, layoutMs: 0, pending: true, error: null })
  useEffect(() => () => client.current?.dispose(), [])
  useEffect(() => {
    if (aspect === null) return
    const abort = new AbortController()
    client.current!.layout(graph, aspect, abort.signal).then(
      ({ result, ms }) => {
        if (abort.signal.aborted) return
        setState({ scene: buildScene(graph, result), layoutMs: ms, pending: false, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        setState((s) => ({ ...s, pending: false, error: messageOf(error) }))
      },
    )
    return () => abort.abort()
  }, [graph, aspect])
  return { ...state, pending: state.pending || state.scene?.graph !== graph }
}
