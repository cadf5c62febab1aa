/**
 * Loads one file of another host for the page (src/app/features/open_files/load_remote.ts). The page's own policy forbids
 * connections to other hosts; this document may connect, and holds nothing: it runs in a sandbox without an origin, gets
 * one address from the page and answers on one port.
 */
addEventListener(
  'message',
  (event) => {
    const [port] = event.ports
    if (event.source !== parent || self.origin !== 'null' || !port) return
    port.postMessage({ kind: 'started' })
    load(event.data, port).catch(() => port.postMessage({ kind: 'refused' }))
  },
  { once: true },
)

/** Answers with `bytes`, `status` (a number), `large`, `slow`, `long` or `refused`. */
async function load({ url, limit, silence, longest }, port) {
  const abort = new AbortController()
  let timer
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => abort.abort('slow'), silence)
  }
  wait()
  // A host that sends a byte now and then would never end.
  const whole = setTimeout(() => abort.abort('long'), longest)
  try {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', signal: abort.signal })
    if (!response.ok) return port.postMessage({ kind: 'status', status: response.status })
    const reader = response.body.getReader()
    const parts = []
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      wait()
      size += value.length
      if (size > limit) {
        abort.abort()
        return port.postMessage({ kind: 'large' })
      }
      parts.push(value)
    }
    const bytes = await new Blob(parts).arrayBuffer()
    port.postMessage({ kind: 'bytes', bytes }, [bytes])
  } catch (error) {
    if (!abort.signal.aborted) throw error
    port.postMessage({ kind: abort.signal.reason })
  } finally {
    clearTimeout(timer)
    clearTimeout(whole)
  }
}
