/**
 * Short words between the processes that share a store. Some may be lost, and come twice: they only say where to look
 * before one would have looked anyway.
 */
export interface StoreSignals {
  /** Never rejects: a signal that can't be sent is lost. */
  send(text: string): void
  /** Calls `onSignal` with what any process sends, this one too. */
  listen(onSignal: (text: string) => void): void
  /** Signals of others arrive now, as far as can be known. */
  isListening(): boolean
}
