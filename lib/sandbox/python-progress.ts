import { type RunProgress, type RunStart, megabytes } from './sandbox'
import { pythonAssets, pythonBytes } from './python-assets'

/** Says how far Python's start is, each time that a reader would see a change: by the megabyte. */
export function createPythonProgress(say: (doing: RunStart, part?: RunProgress) => void) {
  const loaded = new Map<string, number>()
  const done = new Set<string>()
  const names = Object.values(pythonAssets)
  let said = ''

  const tell = (doing: RunStart, part?: RunProgress) => {
    const seen = `${doing ?? ''} ${part ? megabytes(part.done) : ''}`
    if (seen === said) return
    said = seen
    say(doing, part)
  }
  const tellLoaded = () => {
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    tell('python-loads', { done: Math.min(bytes, pythonBytes), of: pythonBytes })
  }
  return {
    add(name: string, bytes: number): void {
      loaded.set(name, bytes)
      tellLoaded()
    },
    loaded(name: string): void {
      done.add(name)
      if (done.size === names.length) tell('python-starts')
    },
    /** The code runs now: nothing is left to say. */
    over(): void {
      if (said !== '') tell(null)
    },
  }
}
