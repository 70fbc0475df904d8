/** Calls that run in this tab, by conversation: the messages that they stand in, one as often as calls of it run. */
export function createRunningCalls() {
  const running = new Map<string, readonly string[]>()
  const waiting = new Set<() => void>()
  const of = (conversationId: string) => running.get(conversationId) ?? []

  return {
    add(conversationId: string, messageId: string): void {
      running.set(conversationId, [...of(conversationId), messageId])
    },
    remove(conversationId: string, messageId: string): void {
      const left = of(conversationId)
      running.set(conversationId, left.toSpliced(left.indexOf(messageId), 1))
      for (const wake of waiting) wake()
      waiting.clear()
    },
    /** Until no call of another branch than this one runs. */
    async othersEnded(conversationId: string, path: readonly string[]): Promise<void> {
      while (of(conversationId).some((messageId) => !path.includes(messageId))) {
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
}
