/** On globalThis: the signal is received in one bundle, and every route and page reads it. */
const key = Symbol.for('nod.draining')
const holder = globalThis as typeof globalThis & { [key]?: boolean }

/** True after the signal: load balancers should send no more requests, and close open connections. */
export const isDraining = (): boolean => holder[key] === true

export const setDraining = (draining: boolean): void => {
  holder[key] = draining
}

const keyOfEntrance = Symbol.for('nod.draining-entrance')
const entrance = globalThis as typeof globalThis & { [keyOfEntrance]?: Promise<void> }

/** Set by the serving code: after the signal, requests are still accepted until `closed` resolves. */
export const setEntrance = (closed: Promise<void>): void => {
  entrance[keyOfEntrance] = closed
}

/** Undefined if nobody reports when the last request has arrived. */
export const entranceClosed = (): Promise<void> | undefined => entrance[keyOfEntrance]

const keyOfWork = Symbol.for('nod.draining-work')
const work = globalThis as typeof globalThis & { [keyOfWork]?: Promise<unknown> }

/**
 * Registers work that must end before the process exits: replies are written to their end here, wherever their readers
 * are.
 */
export const finishBeforeExit = (started: Promise<unknown>): void => {
  work[keyOfWork] = started
}

/**
 * Resolves once that work is over, whether or not it failed; at once if there is none. Called during a signal's turn,
 * it includes work that any other listener starts in the same turn, in any order.
 */
export const workIsOver = async (): Promise<void> => {
  await Promise.resolve()
  await work[keyOfWork]?.catch(() => undefined)
}

/** During shutdown, every response closes its connection, so that the next request goes elsewhere. */
export function closeWhileDraining<Answer extends Response>(response: Answer): Answer {
  if (isDraining()) response.headers.set('connection', 'close')
  return response
}
