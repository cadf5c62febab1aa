import { useLayoutEffect, useState, type RefObject } from 'react'
import { readPalette, type Palette } from './palette'

/** Supported aspect ratios, with one layout each, so that a small resize changes nothing. */
const ASPECTS = [0.5, 0.7, 1.1, 1.6, 2.1]

export interface Stage {
  size: { width: number; height: number } | null
  /** Aspect ratio of the first size: dragging a panel's edge does not fold the drawing again. */
  aspect: number | null
  palette: Palette | null
}

/** Size and colors of the canvas element. */
export function useStage(root: RefObject<HTMLElement | null>, theme: string): Stage {
  const [size, setSize] = useState<Stage['size']>(null)
  const [aspect, setAspect] = useState<number | null>(null)
  const [palette, setPalette] = useState<Palette | null>(null)
  useLayoutEffect(() => {
    const element = root.current!
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      if (width === 0 || height === 0) return
      setSize((s) => (s?.width === width && s.height === height ? s : { width, height }))
      setAspect((a) => a ?? nearestAspect(width / height))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [root])
  useLayoutEffect(() => {
    const read = (): void => setPalette(readPalette(root.current!))
    read()
    // The shell sets its tokens on the document, possibly after this component has rendered.
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] })
    return () => observer.disconnect()
  }, [root, theme])
  return { size, aspect, palette }
}

function nearestAspect(aspect: number): number {
  return ASPECTS.reduce((a, b) => (Math.abs(Math.log(b / aspect)) < Math.abs(Math.log(a / aspect)) ? b : a))
}
