/** A run of a match on the GPU: under way, done or failed. */
import { create } from 'zustand'
import type { Distribution, RunProgress, RunReport } from '../../gpu/types'

export interface MatchKey {
  pass: string
  match: number
}

export interface GpuState {
  running: boolean
  progress: RunProgress | null
  report: RunReport | null
  /** What the report or the failure is of. */
  of: MatchKey | null
  failure: string | null
  tokens: number | null
  distribution: Distribution
}

export const useGpu = create<GpuState>(() => ({
  running: false,
  progress: null,
  report: null,
  of: null,
  failure: null,
  tokens: null,
  distribution: 'normal',
}))
