/**
 * Prints the progress of a long step to stderr: on a terminal one line that is overwritten, elsewhere (a log, CI) a
 * line when the text changes, at most every 10 s.
 * @param {string} title
 * @param {{ out?: { isTTY?: boolean, write: (text: string) => unknown }, now?: () => number }} [ports]
 */
export function startProgress(title, { out = process.stderr, now = Date.now } = {}) {
  const startedAt = now()
  let said = ''
  let saidAt = startedAt
  let ended = false
  out.write(out.isTTY ? `${title} …` : `${title} …\n`)
  const seconds = () => Math.round((now() - startedAt) / 1_000)
  return {
    /** @param {string} words */
    say(words) {
      if (ended) return
      if (out.isTTY) out.write(`\r\x1b[2K${title}: ${words}, ${seconds()} s …`)
      else if (words !== said && now() - saidAt >= 10_000) {
        saidAt = now()
        out.write(`${title}: ${words}, ${seconds()} s …\n`)
      }
      said = words
    },
    done() {
      if (ended) return
      ended = true
      out.write(out.isTTY ? `\r\x1b[2K${title}: done in ${seconds()} s\n` : `${title}: done in ${seconds()} s\n`)
    },
    /** Ends the line silently; errors are printed elsewhere. */
    stop() {
      if (!ended && out.isTTY) out.write('\n')
      ended = true
    },
  }
}
