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
  const server = createServer((client) => {
    const origin = connect(Number(port), hostname)
    for (const socket of [client, origin]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        origin.destroy()
      })
    }
    client.on('data', (sent) => void setTimeout(() => origin.write(sent), latency))
    let onWay = 0
    origin.on('data', (sent) => {
      onWay += sent.length
      if (onWay >= WINDOW) origin.pause()
      free = Math.max(free, performance.now() - LATE_MS) + (sent.length * 8) / (mbit * 1000)
      setTimeout(() => {
        onWay -= sent.length
        if (onWay < WINDOW) origin.resume()
        client.write(sent)
      }, free - performance.now())
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
