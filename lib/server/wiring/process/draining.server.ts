/** On globalThis: the signal is heard in one bundle, and every route and page says so. */
const key = Symbol.for('nod.draining')
const holder = globalThis as typeof globalThis & { [key]?: boolean }

/** From the signal on: anyone who balances load should send no one here any longer, and let go of open connections. */
export const isDraining = (): boolean => holder[key] === true

export const setDraining = (draining: boolean): void => {
  holder[key] = draining
}

const keyOfEntrance = Symbol.for('nod.draining-entrance')
const entrance = globalThis as typeof globalThis & { [keyOfEntrance]?: Promise<void> }

/** Said by who serves: after the signal requests still come in until `closed` resolves. */
export const setEntrance = (closed: Promise<void>): void => {
  entrance[keyOfEntrance] = closed
}

/** Undefined where no one says when the last request has come. */
export const entranceClosed = (): Promise<void> | undefined => entrance[keyOfEntrance]

const keyOfWork = Symbol.for('nod.draining-work')
const work = globalThis as typeof globalThis & { [keyOfWork]?: Promise<unknown> }

/** What is to be over before the process exits: replies are written to their end here, no matter who reads them and wherever. */
export const finishBeforeExit = (begun: Promise<unknown>): void => {
  work[keyOfWork] = begun
}

/**
 * Resolves once that is over, however it went; at once where there is none. Asked in a signal's turn it counts what any other
 * listener begins in the same turn, whichever of them listened first.
 */
export const workIsOver = async (): Promise<void> => {
  await Promise.resolve()
  await work[keyOfWork]?.catch(() => undefined)
}

/** Every answer of a server that goes down closes its connection, so that the next request is sent elsewhere. */
export function closeWhileDraining<Answer extends Response>(response: Answer): Answer {
  if (isDraining()) response.headers.set('connection', 'close')
  return response
}
