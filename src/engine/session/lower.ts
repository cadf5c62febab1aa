/** A graph lowered to ATen, as text that a workspace can hold. */
import { messageOf } from '../../base/error_message'
import { printReadable, type Graph } from '../../fx'
import type { PythonHost } from '../../python/types'

/** @throws Error, one plain sentence with the call that cannot be traced */
export function loweredText(host: PythonHost, graph: Graph): string {
  const metas = [...graph.nodes()].flatMap((n) => (n.meta.val?.kind === 'tensor' ? [n.meta.val] : []))
  const [stride, device] = [metas.some((m) => m.stride), metas.some((m) => m.device)]
  try {
    return printReadable(host.lower(graph), {
      stride,
      device,
    })
  } catch (e) {
    throw new Error(`The graph cannot be lowered: ${messageOf(e)}.`, { cause: e })
  }
}
