import { useEffect, useState } from 'react'

/** True once `on` has lasted `ms`. */
export function useLasting(on: boolean, since: number, ms: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    setLasting(false)
    if (!on) return
    const timer = setTimeout(() => setLasting(true), Math.max(0, ms - (performance.now() - since)))
    return () => clearTimeout(timer)
  }, [on, since, ms])
  return on && lasting
}
