/** Odd requests, clients that send half of one, and clients that read nothing, against the server of `npm start`. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStaticServer, listen } from '../serve.mjs'
import requests from './requests.json'

let folder = ''
let server: Server
let port = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fusescope-requests-'))
  mkdirSync(join(folder, 'dist', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret'), 'TOP SECRET')
  symlinkSync(join(folder, 'secret'), join(folder, 'dist', 'link'))
  writeFileSync(join(folder, 'dist', 'index.html'), 'the page')
  writeFileSync(join(folder, 'dist', 'large'), Buffer.alloc(8 << 20, 'x'))
  server = createStaticServer([join(folder, 'dist')])
  port = await listen(server, 21_000 + (process.pid % 20_000))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const opened = (text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from(text.replaceAll('HOST', `127.0.0.1:${port}`), 'latin1'))
      resolve(socket)
    })
    socket.on('error', reject)
  })

/** What the server answers first. */
async function answerTo(text: string): Promise<string> {
  const socket = await opened(text)
  return new Promise((resolve) => {
    const end = (answer: string): void => (socket.destroy(), resolve(answer))
    socket.on('data', (data) => end(String(data)))
    socket.on('error', () => end(''))
    socket.on('close', () => end(''))
  })
}

const GOOD = 'GET / HTTP/1.1\r\nHost: HOST\r\n\r\n'

it.each(requests.map((r) => [r.name, r.send] as const))('a request with %s gives nothing away', async (_, text) => {
  const answer = await answerTo(text)
  expect(answer).not.toContain('SECRET')
  expect(answer).not.toMatch(/^x-evil/im)
  expect(answer).not.toMatch(/^access-control/im)
  expect(await answerTo(GOOD)).toContain('the page')
})

it('answers beside 200 clients that send half a request and 20 that read nothing', async () => {
  const slow = await Promise.all([
    ...Array.from({ length: 200 }, () => opened('GET / HTTP/1.1\r\nHost')),
    ...Array.from({ length: 20 }, async () => (await opened(GOOD.replace('/', '/large'))).pause()),
  ])
  const began = performance.now()
  expect(await answerTo(GOOD)).toContain('the page')
  expect(performance.now() - began).toBeLessThan(2000)
  for (const socket of slow) socket.destroy()
})
