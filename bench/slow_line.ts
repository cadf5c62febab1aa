/**
 * A slow line in front of a server on this machine, for all that a browser asks for: Chromium's own throttling leaves out what workers
 * load, here the engine's script and Pyodide's. Connections share the line; each answer begins a round trip late.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A connection's bytes on the way, at most: the others get their turn. */
const WINDOW = 262144
/** The line makes up for this time in which this process had no core, in ms. */
const LATE_MS = 150

export interface SlowLine {
  url: string
  close(): void
}

/** @param latency of a round trip, in ms */
export async function slowLine(url: string, mbit: number, latency: number): Promise<SlowLine> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  /** When the line is free, in ms. */
  let free = 0
  /** What is on the way, in its order, with the time of its arrival. */
  const queue: { at: number; arrive: () => void }[] = []
  const deliver = (): void => {
    while (queue.length > 0 && queue[0]!.at <= performance.now()) queue.shift()!.arrive()
    if (queue.length > 0) setTimeout(deliver, queue[0]!.at - performance.now())
  }
  const server = createServer((client) => {
    const origin = connect(Number(port), hostname)
    for (const socket of [client, origin]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => origin.destroy())
    client.on('data', (sent) => void setTimeout(() => origin.write(sent), latency))
    let onWay = 0
    // The server ends a connection that is idle for it, while its last bytes are on the way.
    origin.on('close', () => onWay === 0 && client.end())
    origin.on('data', (sent) => {
      onWay += sent.length
      if (onWay >= WINDOW) origin.pause()
      free = Math.max(free, performance.now() - LATE_MS) + (sent.length * 8) / (mbit * 1000)
      const arrive = (): void => {
        onWay -= sent.length
        if (onWay < WINDOW) origin.resume()
        client.write(sent)
        if (onWay === 0 && origin.closed) client.end()
      }
      if (queue.push({ at: free, arrive }) === 1) deliver()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
