import { silentObserver, type ChatObserver } from '@/lib/server/runs/chat-observer'

/** On globalThis: the server is made in one bundle, and routes of all of them count. */
const key = Symbol.for('nod.observer')
const slot = globalThis as typeof globalThis & { [key]?: ChatObserver }

/** Who counts in this process; nobody where no metrics are asked for. */
export const serverObserver = (): ChatObserver => slot[key] ?? silentObserver

export const setObserver = (observer: ChatObserver): void => {
  slot[key] = observer
}
