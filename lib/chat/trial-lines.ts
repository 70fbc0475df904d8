import type { TrialLine } from '@/lib/conversation/trial'

export type TrialLines = AsyncGenerator<readonly TrialLine[], void, undefined>

/** What is said on one side and read on the other, several lines at once where the reader is slower. */
export function createTrialLines() {
  let waiting: TrialLine[] = []
  let isClosed = false
  let wake = () => {}
  const news = () => {
    wake()
  }
  const silence = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  async function* read(): TrialLines {
    for (;;) {
      if (waiting.length > 0) {
        const lines = waiting
        waiting = []
        yield lines
      } else if (isClosed) return
      else await silence()
    }
  }

  return {
    read,
    say(line: TrialLine): void {
      waiting.push(line)
      news()
    },
    close(): void {
      isClosed = true
      news()
    },
  }
}
