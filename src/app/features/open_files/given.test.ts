// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { openGiven } from './given'

afterEach(() => void vi.unstubAllGlobals())

it.each(['..%2f..%2f..%2fother%2fpass.py', '..%5c..%5cpass.py', '%2e%2e%2fpass.py'])(
  'asks no host for %s, which a server may read as a path to code of others',
  async (name) => {
    const asked = vi.fn(async () => new Response('', { status: 404 }))
    vi.stubGlobal('fetch', asked)
    expect(await openGiven([`${'0'.repeat(32)}/0/${name}`])).toBe(false)
    expect(asked).not.toHaveBeenCalled()
    expect(await openGiven([`${'0'.repeat(32)}/0/pass.py`])).toBe(false)
    expect(asked).toHaveBeenCalledOnce()
  },
)
