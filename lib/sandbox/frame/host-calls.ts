import { preludeLimits } from '../limits'
import type { Answer, CallArgument } from './protocol'

/** Asks the page for a file operation; the answer comes as data. */
export type CallHost = (op: string, args: readonly CallArgument[]) => Promise<Answer>

/** File operations with the page; those over the limit wait, so that thousands at once are fine. */
export function createHostCalls(
  send: (message: {
    readonly type: 'call'
    readonly id: number
    readonly op: string
    readonly args: readonly CallArgument[]
  }) => void,
): { readonly callHost: CallHost; readonly take: (id: number, answer: Answer) => void } {
  const answers = new Map<number, (answer: Answer) => void>()
  const waiting: (() => void)[] = []
  let calls = 0
  return {
    callHost: (op, args) =>
      new Promise<Answer>((resolve) => {
        const start = () => {
          const id = ++calls
          answers.set(id, (answer) => {
            answers.delete(id)
            waiting.shift()?.()
            resolve(answer)
          })
          send({ type: 'call', id, op, args })
        }
        if (answers.size < preludeLimits.callsInFlight) start()
        else waiting.push(start)
      }),
    take: (id, answer) => answers.get(id)?.(answer),
  }
}
