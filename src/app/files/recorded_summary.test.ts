/** What a frame shows of a recording: PyTorch's own counts, places and reasons. */
import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { plainText } from '../../base/message'
import { readCapture } from '../../engine/capture/read'
import { recordedSummary } from './recorded_summary'

const read = (text: string) => {
  const result = readCapture(text, 'c.fusescope')
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

it('has the counts, matches and sizes that PyTorch recorded', () => {
  const file = new URL('../../../conformance/captures/vllm-pass-pipeline.fusescope.gz', import.meta.url)
  const capture = read(gunzipSync(readFileSync(file)).toString())
  const { run } = capture.applications[0]!
  const applications = capture.applications.filter((a) => a.run === run)
  const summary = recordedSummary(capture, run)
  expect(summary.recorded).toBe(capture.header.torch)
  expect(summary.passes.map((p) => p.count)).toEqual(applications.map((a) => a.count))
  expect(new Set(summary.passes.map((p) => p.name)).size).toBe(applications.length)
  expect(summary.matches!.length).toBe(applications.flatMap((a) => a.attempts).filter((a) => a.applied).length)
  expect(summary.nodesBefore).toBe(capture.graphs.get(applications[0]!.before!)!.nodes.length)
})

it('gives PyTorch’s reason at places that no match holds, those that passed stage one first', () => {
  const node = (name: string) => `{"name":"${name}","op":"call_function","target":"aten.add.Tensor","args":[]}`
  const attempt = (name: string, rest: string) => `{"record":"attempt","apply":0,"entry":4,"node":"${name}",${rest}}`
  const capture = read(
    [
      '{"record":"capture","v":1,"torch":"2.14.1"}',
      '{"record":"pass","id":0,"passName":"fuse"}',
      '{"record":"entry","id":4,"kind":"graph","pattern":{"expr":"Arg","id":"a"},"functions":{"handler":{"name":"f.<locals>.fuse_add"}}}',
      `{"record":"graph","id":0,"run":0,"nodes":[${node('add')},${node('add_1')},${node('add_2')},${node('add_3')}]}`,
      '{"record":"apply","id":0,"pass":0,"run":0,"before":0,"table":[["call_function","aten.add.Tensor",[4]]]}',
      attempt('add_3', '"ok":false,"reason":"wrong at add_3"'),
      attempt('add_2', '"ok":false,"reason":"wrong at add_2"'),
      attempt('add_1', '"ok":true,"nodes":["add_1"],"dropped":{"why":"extra-check"}'),
      attempt('add', '"ok":true,"nodes":["add"],"applied":true,"outputs":["add"]'),
      '{"record":"applied","apply":0,"count":1}',
    ].join('\n'),
  )
  const [pass] = recordedSummary(capture, 0).passes
  expect(pass).toMatchObject({ name: 'fuse', count: 1, fired: [{ title: 'fuse_add', count: 1 }] })
  expect(pass!.nearMisses!.map((m) => [plainText(m.why), m.count, m.anchors])).toEqual([
    ['PyTorch: extra-check', 1, ['add_1']],
    ['PyTorch: wrong at add_3', 2, ['add_3', 'add_2']],
  ])
})

it('reads each attempt as often, however many there are', () => {
  const attempt = '{"record":"attempt","apply":0,"entry":4,"node":"add","ok":false,"reason":"r"}'
  const node = '{"name":"add","op":"call_function","target":"aten.add.Tensor","args":[]}'
  const readsOf = (count: number): number => {
    const capture = read(
      [
        '{"record":"capture","v":1,"torch":"2.14.1"}',
        '{"record":"pass","id":0,"passName":"fuse"}',
        `{"record":"graph","id":0,"run":0,"nodes":[${node}]}`,
        '{"record":"apply","id":0,"pass":0,"run":0,"before":0,"table":[["call_function","aten.add.Tensor",[4]]]}',
        ...Array.from({ length: count }, () => attempt),
      ].join('\n'),
    )
    let reads = 0
    const counted = <T extends object>(attempt: T): T =>
      new Proxy(attempt, { get: (of, key) => (reads++, Reflect.get(of, key)) })
    const applications = capture.applications.map((a) => ({ ...a, attempts: a.attempts.map(counted) }))
    expect(recordedSummary({ ...capture, applications }, 0).passes[0]!.nearMisses![0]!.count).toBe(count)
    return reads / count
  }
  expect(readsOf(2000)).toBeCloseTo(readsOf(500), 0)
})
