import type { RunProgress } from './sandbox'
import { pythonAssets, pythonBytes } from './python-assets'

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000)

/** Says how far Python's start is, a text each time it changes: "Loading Python, 6 of 13 MB", "Starting Python". */
export function createPythonProgress(say: (text: string, part?: RunProgress) => void) {
  const loaded = new Map<string, number>()
  const done = new Set<string>()
  const names = Object.values(pythonAssets)
  let said = ''

  const tell = (text: string, part?: RunProgress) => {
    if (text === said) return
    said = text
    say(text, part)
  }
  const tellLoaded = () => {
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    const total = megabytes(pythonBytes)
    tell(`Loading Python, ${Math.min(total, megabytes(bytes))} of ${total} MB`, {
      done: Math.min(bytes, pythonBytes),
      of: pythonBytes,
    })
  }
  return {
    add(name: string, bytes: number): void {
      loaded.set(name, bytes)
      tellLoaded()
    },
    loaded(name: string): void {
      done.add(name)
      if (done.size === names.length) tell('Starting Python')
    },
    /** The code runs now: nothing is left to say. */
    over(): void {
      if (said !== '') tell('')
    },
  }
}
