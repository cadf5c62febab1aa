/** What is measured of a renderer. */
export type Measured =
  | {
      /** From the graph's text or data to the first frame that shows it. */
      paintMs: number
      /** During a pan of PAN_MS. */
      framesPerSecond: number
      /** JavaScript heap of the page after the pan, without workers. */
      heapMB: number
    }
  | { failed: string }

export const PAN_MS = 3000
