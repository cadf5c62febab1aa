import { readFileSync } from 'node:fs'
import { deflateRawSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isAsRecorded } from '../../engine/capture/workspace'
import { decodeSnapshot } from '../../workspace/link'
import { capturedSnapshot } from './capture_link'

describe('a link that the capture script wrote', () => {
  it('opens the run of the capture, with PyTorch’s verdict', async () => {
    const name = 'compiled-model.fusescope'
    const text = gunzipSync(readFileSync(`conformance/captures/${name}.gz`)).toString()
    const sent = {
      v: 1,
      workspace: { name, graph: { name, text }, files: [], options: { timeLimitS: 10 } },
      view: { selection: null, mode: 'before', panel: 'whynot', openFile: name },
      summary: null,
    }
    const decoded = await decodeSnapshot(`#v1.${deflateRawSync(JSON.stringify(sent)).toString('base64url')}`)
    if (!decoded.ok) throw new Error(decoded.error.message)
    const { workspace, view } = (await capturedSnapshot(decoded.value))!.snapshot
    expect(isAsRecorded(workspace)).toBe(true)
    expect(workspace.graph.text).toContain('def forward')
    expect([view.panel, view.openFile]).toEqual(['whynot', workspace.graph.name])
  })
})
