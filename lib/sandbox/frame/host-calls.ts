import type { Answer, CallArgument } from './protocol'

/** Asks the page for a file operation; the answer comes as data. */
export type CallHost = (op: string, args: readonly CallArgument[]) => Promise<Answer>

/** A run's words with the page about its files. */
export function createHostCalls(
  send: (message: {
    readonly type: 'call'
    readonly id: number
    readonly op: string
    readonly args: readonly CallArgument[]
  }) => void,
): { readonly callHost: CallHost; readonly take: (id: number, answer: Answer) => void } {
  const answers = new Map<number, (answer: Answer) => void>()
  let calls = 0
  return {
    callHost: (op, args) =>
      new Promise<Answer>((resolve) => {
        const id = ++calls
        answers.set(id, resolve)
        send({ type: 'call', id, op, args })
      }),
    take(id, answer) {
      answers.get(id)?.(answer)
      answers.delete(id)
    },
  }
}
