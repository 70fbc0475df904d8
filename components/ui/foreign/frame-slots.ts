export interface FrameSlots {
  /**
   * Asks for a place; `grant` is called at once or when one is free, in the order of asking. `wait` is called where there
   * is none, or none any more. The answer gives the place, or the wish for one, back.
   */
  take(holder: { readonly grant: () => void; readonly wait: () => void }): {
    readonly giveBack: () => void
    /** Takes the place of whoever has had one the longest. */
    readonly insist: () => void
  }
}

/** So many frames at once: each costs a document, and a display may hold fifty. */
export function createFrameSlots(most: number): FrameSlots {
  type Holder = Parameters<FrameSlots['take']>[0]
  const live = new Set<Holder>()
  const waiting = new Set<Holder>()
  const admit = (holder: Holder) => {
    waiting.delete(holder)
    live.add(holder)
    holder.grant()
  }
  const next = () => {
    const [first] = waiting
    if (first && live.size < most) admit(first)
  }
  return {
    take(holder) {
      waiting.add(holder)
      if (live.size < most) next()
      else holder.wait()
      return {
        giveBack() {
          waiting.delete(holder)
          if (live.delete(holder)) next()
        },
        insist() {
          if (!waiting.has(holder)) return
          const [oldest] = live
          if (oldest && live.size >= most) {
            live.delete(oldest)
            waiting.add(oldest)
            oldest.wait()
          }
          admit(holder)
        },
      }
    },
  }
}
