/** The shortest text that still fails, found by leaving out ever smaller parts. */
export function minimise(text: string, fails: (text: string) => boolean, tries = 3000): string {
  let best = text
  for (let size = Math.ceil(best.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < best.length && tries > 0;) {
      const shorter = best.slice(0, at) + best.slice(at + size)
      tries--
      if (fails(shorter)) best = shorter
      else at += size
    }
  return best
}
